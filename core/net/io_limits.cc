#include "core/net/io_limits.h"

#include <poll.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/base/clock.h"
#include "core/net/peer_listener.h"

namespace helix::net {
namespace {

constexpr std::int64_t kMsInNs = 1'000'000;
constexpr std::int64_t kSliceNs = 25 * kMsInNs;
// A server that was told to end closes its port at once and can keep an open stream for half a minute.
constexpr std::int64_t kWatchNs = 3000 * kMsInNs;

std::string Ms(std::int64_t ns) {
  return std::to_string(ns / kMsInNs) + " ms";
}

}  // namespace

Status WaitFor(int fd, short events, const IoLimits& limits) {
  const std::int64_t start = SteadyNowNs();
  const std::int64_t end = std::min(start + limits.stall_ns, limits.deadline_ns);
  std::int64_t watch = start + kWatchNs;
  for (;;) {
    if (limits.stop.stop_requested()) return Fail(ErrorCode::kCancelled, "the request was cancelled");
    const std::int64_t left = end - SteadyNowNs();
    // Rounded up: a wait that ends a fraction early would spin.
    const std::int64_t slice = (std::min(std::max<std::int64_t>(left, 0), kSliceNs) + kMsInNs - 1) / kMsInNs;
    pollfd item{fd, events, 0};
    int ready = poll(&item, 1, static_cast<int>(slice));
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) {
      return Fail(ErrorCode::kIo, std::string("poll failed: ") + std::strerror(errno));
    }
    if (left > 0 && SteadyNowNs() < watch) continue;
    if (ListenerRefuses(fd))
      return Fail(ErrorCode::kUnavailable, "the server has closed its port and is silent: it is going down",
                  "look at the server's log for who stopped it, then start it again");
    watch = SteadyNowNs() + kWatchNs;
    if (left > 0) continue;
    if (end == limits.deadline_ns) {
      return Fail(ErrorCode::kTimeout, "the request did not end within its total time",
                  "raise the timeout, or ask for less");
    }
    return Fail(ErrorCode::kTimeout, "the server was silent for " + Ms(limits.stall_ns),
                "check that the server is working, or raise the timeout");
  }
}

}  // namespace helix::net
