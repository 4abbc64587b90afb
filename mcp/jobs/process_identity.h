// Which process wrote something, so that a later one can tell whether it still runs.
#pragma once
#include "core/base/json.h"

namespace helix::mcp {

// {"pid":...,"start":...}: the start time (clock ticks after boot) tells a reused pid apart.
Json ThisProcess();
// True when the process that ThisProcess() described still runs.
bool StillRuns(const Json& who);

}  // namespace helix::mcp
