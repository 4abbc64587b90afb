// bench_track_a: measures what the prefix cache of a llama-server buys.
#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

Tool BenchTrackATool();

}  // namespace helix::mcp
