#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

Tool VerifyReportTool();

}  // namespace helix::mcp
