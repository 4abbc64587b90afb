#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

// bench_track_b / bench-track-b: hosted prompt caching, or a local server that speaks the same protocol.
Tool BenchTrackBTool();

}  // namespace helix::mcp
