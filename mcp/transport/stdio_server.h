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
// When the input ends with its last message (a file, a script), the calls that run have a minute to be
// answered; when it ends after half a second of silence, a client hangs up, and they have 250 ms. Without a
// reader, after `stop` and after that time they are cancelled and have 150 ms to notice. Returns true when
// all ended. docs/decisions/0041 says why.
bool ServeStdio(int in, int out, Dispatcher& dispatcher, WorkerPool& workers, std::stop_token stop);

}  // namespace helix::mcp
