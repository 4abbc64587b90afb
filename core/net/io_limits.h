// How long one read or write may wait, and what ends it early.
#pragma once
#include <cstdint>
#include <stop_token>

#include "core/base/result.h"

namespace helix::net {

struct IoLimits {
  std::stop_token stop;
  std::int64_t stall_ns = 0;     // longest silence of the other side
  std::int64_t deadline_ns = 0;  // on the steady clock: the end of the whole request
};

// Waits until poll(2) reports one of `events` (or an error or hang-up) on the socket. kCancelled within 25 ms
// of a stop request; kTimeout after the stall time or the deadline, saying which; kUnavailable when a server
// on this machine was silent for three seconds and its port no longer takes connections.
Status WaitFor(int fd, short events, const IoLimits& limits);

}  // namespace helix::net
