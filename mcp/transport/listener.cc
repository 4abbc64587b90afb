#include "mcp/transport/listener.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace helix::mcp {
namespace {

constexpr int kBacklog = 512;

}  // namespace

Result<HttpBinding> ParseBinding(const std::string& text) {
  const auto colon = text.rfind(':');
  int port = -1;
  const char* end = text.data() + text.size();
  if (colon != std::string::npos) {
    const auto [last, problem] = std::from_chars(text.data() + colon + 1, end, port);
    if (problem != std::errc() || last != end) port = -1;
  }
  std::string host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (host.empty() || port < 0 || port > 65535) {
    return Fail(ErrorCode::kInvalidArgument, "--http must be HOST:PORT, but it is \"" + text + "\"",
                "for example 127.0.0.1:8080, or 127.0.0.1:0 for any free port");
  }
  return HttpBinding{host == "localhost" ? "127.0.0.1" : host, port};
}

bool IsLoopback(const HttpBinding& binding) {
  in_addr v4{};
  if (inet_pton(AF_INET, binding.host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6{};
  return inet_pton(AF_INET6, binding.host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

Result<int> OpenListener(const HttpBinding& binding) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(binding.host.c_str(), std::to_string(binding.port).c_str(), &hints, &found) != 0) {
    return Fail(ErrorCode::kInvalidArgument, "\"" + binding.host + "\" is not an address to listen at",
                "give a numeric address such as 127.0.0.1, or localhost");
  }
  const int fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const bool bound = bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, kBacklog) == 0;
  const int problem = errno;
  freeaddrinfo(found);
  if (bound) return fd;
  close(fd);
  return Fail(
      ErrorCode::kUnavailable,
      "cannot listen at " + binding.host + ":" + std::to_string(binding.port) + ": " + std::strerror(problem),
      "choose another port, or 0 for any free one");
}

int BoundPort(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return address.ss_family == AF_INET6 ? ntohs(reinterpret_cast<sockaddr_in6*>(&address)->sin6_port)
                                       : ntohs(reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

int AcceptClient(int listener) {
  const int fd = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  const int on = 1;
  if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

}  // namespace helix::mcp
