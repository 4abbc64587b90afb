#include "mcp/cli/tool_table.h"

namespace helix::mcp {

std::string FirstSentence(const std::string& text) {
  const auto end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

std::string ToolTableMarkdown(const std::vector<Tool>& tools) {
  std::string text = "| Tool | Subcommand | What it is for |\n|---|---|---|\n";
  for (const auto& tool : tools) {
    text += "| `" + tool.name + "` | `" + tool.subcommand + "` | " + FirstSentence(tool.description) + " |\n";
  }
  return text;
}

}  // namespace helix::mcp
