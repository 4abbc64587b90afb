// Host names to addresses: asked once per client, judged, then pinned.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/net/ip_address.h"

namespace helix::net {

// All addresses of a name, in the order to try. Replaced in tests.
using Resolver = std::function<Result<std::vector<IpAddress>>(const std::string& host)>;
// getaddrinfo. Blocks for as long as the system's resolver does.
Resolver SystemResolver();

// The addresses that a client may connect to for `host`. Literals stand for themselves and "localhost" is
// 127.0.0.1 and ::1 without asking anyone. A name's addresses are refused (kRefused) when one of them is
// forbidden (link-local, multicast, unspecified, ...) or when they are of different classes, as after a
// rebinding. Waits for the resolver in a thread of its own, so that a stop request (kCancelled) or
// `timeout_ns` (kTimeout) ends the wait.
Result<std::vector<IpAddress>> ResolveAndJudge(const std::string& host, const Resolver& resolver,
                                               std::int64_t timeout_ns, const std::stop_token& stop);

}  // namespace helix::net
