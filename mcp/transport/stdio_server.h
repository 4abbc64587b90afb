// MCP over stdin and stdout.
#pragma once
#include <memory>
#include <stop_token>

#include "mcp/protocol/dispatcher.h"
#include "mcp/transport/worker_pool.h"

namespace helix::mcp {

// Descriptor 1 is taken away from the process: a copy that no child inherits is returned, and from then on
// whatever prints to stdout prints to stderr. -1 when descriptor 1 is not open.
int TakeStdout();
// The same for stdin, which becomes /dev/null.
int TakeStdin();

// Reads lines from `in` and answers on `out` until the input ends, the reader of `out` goes away, or `stop`.
// Then calls have 700 ms to end by themselves, are cancelled, and have 200 ms to notice. Returns true when
// all ended.
bool ServeStdio(int in, int out, Dispatcher& dispatcher, WorkerPool& workers, std::stop_token stop);

}  // namespace helix::mcp
