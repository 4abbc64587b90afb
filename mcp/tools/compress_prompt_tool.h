#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

// compress_prompt / compress-prompt: fewer tokens in a request without breaking its cached prefix.
Tool CompressPromptTool();

}  // namespace helix::mcp
