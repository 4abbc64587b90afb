// SIGINT, SIGTERM and SIGHUP as a stop token. A handler may not run callbacks, so it only writes to a pipe,
// and one thread turns that into a stop request. Signals are never blocked: children would inherit that.
#pragma once
#include <stop_token>

namespace helix::mcp {

// Installs the handlers (once, from main) and ignores SIGPIPE. A second signal of the three ends the process
// at once with 128 + its number.
std::stop_token StopOnSignals();

}  // namespace helix::mcp
