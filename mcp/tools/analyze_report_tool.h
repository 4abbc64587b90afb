#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

Tool AnalyzeReportTool();

}  // namespace helix::mcp
