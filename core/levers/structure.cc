#include "core/levers/structure.h"

#include "core/base/json_fields.h"

namespace helix::levers {
namespace {

// Everything but texts that may be rewritten, in order: tool calls with names and arguments, ids and pairs.
Json CallsOf(const std::string& body) {
  Json out = Json::array();
  auto json = ParseJson(body);
  const Json* messages = json ? Find(*json, "messages") : nullptr;
  if (messages == nullptr || !messages->is_array()) return out;
  for (const auto& message : *messages) {
    out.push_back(StringAt(message, "role").value_or(""));
    if (const Json* calls = Find(message, "tool_calls")) out.push_back(*calls);
    if (auto id = StringAt(message, "tool_call_id")) out.push_back(*id);
    const Json* content = Find(message, "content");
    if (content == nullptr || !content->is_array()) continue;
    for (const auto& block : *content) {
      const std::string type = StringAt(block, "type").value_or("");
      if (type == "tool_result") {
        out.push_back({type, StringAt(block, "tool_use_id").value_or("")});
      } else {
        out.push_back(type == "text" ? Json(type) : block);
      }
    }
  }
  return out;
}

}  // namespace

bool SameStructure(const std::string& before, const std::string& after) {
  return CallsOf(before) == CallsOf(after);
}

}  // namespace helix::levers
