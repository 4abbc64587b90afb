#include "mcp/serve/product_catalog.h"

#include "mcp/protocol/tool_adapter.h"
#include "mcp/serve/instructions.h"

namespace helix::mcp {

Catalog ProductCatalog(const std::vector<Tool>& tools, const Settings& settings) {
  Catalog catalog;
  catalog.instructions = Instructions();
  for (const auto& tool : tools) catalog.tools.push_back(AdaptTool(tool, settings));
  return catalog;
}

}  // namespace helix::mcp
