#include "core/net/peer_listener.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "core/net/ip_address.h"

namespace helix::net {
namespace {

bool IsLoopback(const sockaddr_storage& address) {
  IpAddress ip;
  ip.family = address.ss_family;
  if (ip.family == AF_INET) ip.v4 = reinterpret_cast<const sockaddr_in&>(address).sin_addr;
  if (ip.family == AF_INET6) ip.v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  return (ip.family == AF_INET || ip.family == AF_INET6) && ip.Class() == AddressClass::kLoopback;
}

// What connect(2) came to; on loopback the answer is there as soon as the call's own work is done.
int ConnectError(int fd, const sockaddr* address, socklen_t size) {
  if (::connect(fd, address, size) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd item{fd, POLLOUT, 0};
  if (::poll(&item, 1, 100) <= 0) return EINPROGRESS;
  int error = 0;
  socklen_t length = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

}  // namespace

bool ListenerRefuses(int connected_fd) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  auto* address = reinterpret_cast<sockaddr*>(&peer);
  if (::getpeername(connected_fd, address, &size) != 0 || !IsLoopback(peer)) return false;
  const int fd = ::socket(peer.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const bool refused = ConnectError(fd, address, size) == ECONNREFUSED;
  ::close(fd);
  return refused;
}

}  // namespace helix::net
