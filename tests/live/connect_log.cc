// Loaded before the C library where strace is missing: every connect and sendto with an internet address is
// written to the file in HELIX_CONNECT_LOG, in strace's words, and then made. What the C library calls itself
// is not seen.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace {

void Note(const char* call, const sockaddr* to) {
  const char* path = std::getenv("HELIX_CONNECT_LOG");
  if (path == nullptr || to == nullptr || (to->sa_family != AF_INET && to->sa_family != AF_INET6)) return;
  char address[INET6_ADDRSTRLEN] = "?";
  const bool v4 = to->sa_family == AF_INET;
  const void* from = v4 ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(to)->sin_addr)
                        : static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(to)->sin6_addr);
  inet_ntop(to->sa_family, from, address, sizeof address);
  const std::string line =
      std::string(call) + " sa_family=" + (v4 ? "AF_INET" : "AF_INET6") + " \"" + address + "\"\n";
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  close(file);
}

}  // namespace

extern "C" int connect(int fd, const sockaddr* to, socklen_t size) {
  using Connect = int (*)(int, const sockaddr*, socklen_t);
  Note("connect", to);
  return reinterpret_cast<Connect>(dlsym(RTLD_NEXT, "connect"))(fd, to, size);
}

extern "C" ssize_t sendto(int fd, const void* bytes, size_t n, int flags, const sockaddr* to,
                          socklen_t size) {
  using SendTo = ssize_t (*)(int, const void*, size_t, int, const sockaddr*, socklen_t);
  Note("sendto", to);
  return reinterpret_cast<SendTo>(dlsym(RTLD_NEXT, "sendto"))(fd, bytes, n, flags, to, size);
}
