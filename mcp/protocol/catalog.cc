#include "mcp/protocol/catalog.h"

#include "core/base/json_fields.h"

namespace helix::mcp {

const std::vector<ServerTool>& Catalog::Tools() const {
  if (!late_tools) return tools;
  std::call_once(made_->once, [this] {
    made_->tools = tools;
    for (auto& tool : late_tools()) made_->tools.push_back(std::move(tool));
  });
  return made_->tools;
}

const ServerTool* Catalog::FindTool(const std::string& tool_name) const {
  for (const auto& tool : Tools()) {
    if (tool.name == tool_name) return &tool;
  }
  return nullptr;
}

const ServerPrompt* Catalog::FindPrompt(const std::string& prompt_name) const {
  for (const auto& prompt : prompts) {
    if (StringAt(prompt.listing, "name") == prompt_name) return &prompt;
  }
  return nullptr;
}

Json Catalog::Capabilities(Era era) const {
  const bool changes = list_changes && era == Era::kModern;
  Json capabilities{{"tools", {{"listChanged", changes}}}};
  if (resources) {
    capabilities["resources"] = Json{{"subscribe", true}, {"listChanged", era == Era::kModern}};
  }
  if (!prompts.empty()) capabilities["prompts"] = Json{{"listChanged", changes}};
  capabilities["completions"] = Json::object();
  capabilities["logging"] = Json::object();
  if (tasks && era == Era::kModern) {
    capabilities["extensions"] = Json{{"io.modelcontextprotocol/tasks", Json::object()}};
  }
  return capabilities;
}

Json Catalog::ServerInfo() const {
  return Json{{"name", name}, {"title", title}, {"version", version}};
}

}  // namespace helix::mcp
