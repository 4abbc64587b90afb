#include "core/backend/loopback_port.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace helix::backend {
namespace {

// One line of /proc/net/tcp: index, local address:port, remote, state; state 0A is LISTEN.
bool ListensOn(const std::string& line, int port) {
  std::istringstream fields(line);
  std::string index, local, remote, state;
  fields >> index >> local >> remote >> state;
  const std::size_t colon = local.rfind(':');
  return state == "0A" && colon != std::string::npos &&
         std::strtol(local.c_str() + colon + 1, nullptr, 16) == port;
}

}  // namespace

Result<int> FreeLoopbackPort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  const int error = errno;
  if (fd >= 0) ::close(fd);
  if (!bound) return Fail(ErrorCode::kIo, std::string("no free loopback port: ") + std::strerror(error));
  return static_cast<int>(ntohs(address.sin_port));
}

int ListenersOn(int port) {
  int count = -1;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(table);
    if (!file) continue;
    count = std::max(count, 0);
    for (std::string line; std::getline(file, line);) count += ListensOn(line, port) ? 1 : 0;
  }
  return count;
}

}  // namespace helix::backend
