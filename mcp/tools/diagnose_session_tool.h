// diagnose_session: per turn read, written and uncached tokens of real traffic, and where reuse broke.
#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

Tool DiagnoseSessionTool();

}  // namespace helix::mcp
