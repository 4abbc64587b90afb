// Ports of this machine for servers that we start.
#pragma once
#include "core/base/result.h"

namespace helix::backend {

// A port of 127.0.0.1 that was free a moment ago.
Result<int> FreeLoopbackPort();

// How many sockets listen on the port, on any address of this machine. More than one means that two servers
// share it (SO_REUSEPORT) and answers come from either. -1 where the kernel does not tell.
int ListenersOn(int port);

}  // namespace helix::backend
