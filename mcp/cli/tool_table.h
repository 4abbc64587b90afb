// The table of tools as README shows it: made from the list of tools, so that the two cannot differ.
#pragma once
#include <string>
#include <vector>

#include "mcp/tools/tool.h"

namespace helix::mcp {

// The first sentence of a description.
std::string FirstSentence(const std::string& text);

// Markdown: tool, subcommand, what it is for.
std::string ToolTableMarkdown(const std::vector<Tool>& tools);

}  // namespace helix::mcp
