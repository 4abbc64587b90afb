#include "core/net/socket_stream.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace helix::net {
namespace {

bool WouldBlock(int error) {
  return error == EAGAIN || error == EWOULDBLOCK;
}

auto Broken(int error) {
  return Fail(ErrorCode::kUnavailable, std::string("the connection broke: ") + std::strerror(error));
}

Result<int> OpenSocket(int family) {
  int fd = ::socket(family, SOCK_STREAM, 0);
  if (fd < 0) return Fail(ErrorCode::kIo, std::string("no socket: ") + std::strerror(errno));
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  int one = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

int StartConnect(int fd, const IpAddress& address, int port) {
  if (address.family == AF_INET) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr = address.v4;
    return ::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  }
  sockaddr_in6 to{};
  to.sin6_family = AF_INET6;
  to.sin6_port = htons(static_cast<std::uint16_t>(port));
  to.sin6_addr = address.v6;
  return ::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

}  // namespace

SocketStream::~SocketStream() {
  ::close(fd_);
}

Result<std::size_t> SocketStream::Read(char* out, std::size_t size, const IoLimits& limits) {
  for (;;) {
    HELIX_TRY(WaitFor(fd_, POLLIN, limits));
    ssize_t got = ::recv(fd_, out, size, 0);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && !WouldBlock(errno)) return Broken(errno);
  }
}

Status SocketStream::Write(std::string_view bytes, const IoLimits& limits) {
  while (!bytes.empty()) {
    ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (WouldBlock(errno)) {
      HELIX_TRY(WaitFor(fd_, POLLOUT, limits));
    } else if (errno != EINTR) {
      return Broken(errno);
    }
  }
  return {};
}

bool SocketStream::Quiet() {
  char byte = 0;
  ssize_t got = ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && WouldBlock(errno);
}

Result<std::unique_ptr<SocketStream>> ConnectSocket(const IpAddress& address, int port,
                                                    const IoLimits& limits) {
  auto fd = OpenSocket(address.family);
  if (!fd) return tl::make_unexpected(fd.error());
  auto stream = std::make_unique<SocketStream>(*fd);
  if (StartConnect(*fd, address, port) != 0) {
    int error = errno;
    if (error == EINPROGRESS || error == EINTR) {
      HELIX_TRY(WaitFor(*fd, POLLOUT, limits));
      socklen_t size = sizeof error;
      ::getsockopt(*fd, SOL_SOCKET, SO_ERROR, &error, &size);
    }
    if (error != 0) return Fail(ErrorCode::kUnavailable, std::strerror(error));
  }
  return stream;
}

}  // namespace helix::net
