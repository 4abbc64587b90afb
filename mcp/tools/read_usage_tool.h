#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

// read_usage / usage: a reply's token usage in the normal form, with its cost where the price is known.
Tool ReadUsageTool();

}  // namespace helix::mcp
