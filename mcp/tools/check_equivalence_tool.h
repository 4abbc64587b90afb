#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

Tool CheckEquivalenceTool();

}  // namespace helix::mcp
