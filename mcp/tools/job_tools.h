// get_job and cancel_job: what became of a run that took longer than its call.
#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

Tool GetJobTool();
Tool CancelJobTool();

}  // namespace helix::mcp
