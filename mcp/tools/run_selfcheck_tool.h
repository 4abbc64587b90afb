#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

Tool RunSelfcheckTool();

}  // namespace helix::mcp
