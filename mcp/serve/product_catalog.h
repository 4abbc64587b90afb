// What the product's server offers: its tools, reports, prompts and instructions.
#pragma once
#include <vector>

#include "core/base/settings.h"
#include "mcp/protocol/catalog.h"
#include "mcp/tools/tool.h"

namespace helix::mcp {

Catalog ProductCatalog(const std::vector<Tool>& tools, const Settings& settings);

}  // namespace helix::mcp
