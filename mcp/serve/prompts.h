// Questions that users ask, written out for a model with the tools to use.
#pragma once
#include <vector>

#include "mcp/protocol/catalog.h"

namespace helix::mcp {

std::vector<ServerPrompt> ProductPrompts();

}  // namespace helix::mcp
