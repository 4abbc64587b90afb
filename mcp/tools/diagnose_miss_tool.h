// diagnose_miss: why a request did not reuse the one before it.
#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

Tool DiagnoseMissTool();

}  // namespace helix::mcp
