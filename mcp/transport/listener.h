// A listening TCP socket.
#pragma once
#include "core/base/result.h"
#include "mcp/transport/http_server.h"

namespace helix::mcp {

// Non-blocking, not inherited by children, with SO_REUSEADDR alone (a second server on the same port fails)
// and a backlog for bursts. The caller owns the descriptor.
Result<int> OpenListener(const HttpBinding& binding);
// The port that a bound socket has.
int BoundPort(int fd);
// Accepts one client, with Nagle's delay off; -1 when there is none.
int AcceptClient(int listener);

}  // namespace helix::mcp
