#include "core/usage/content.h"

#include "core/base/json_fields.h"

namespace helix::usage {
namespace {

bool NonEmptyText(const Json& object, std::initializer_list<std::string_view> paths) {
  for (auto path : paths) {
    const Json* value = FindPath(object, path);
    if (value != nullptr && value->is_string() && !value->get_ref<const std::string&>().empty()) return true;
  }
  return false;
}

bool NonEmptyList(const Json& object, std::string_view key) {
  const Json* value = Find(object, key);
  return value != nullptr && value->is_array() && !value->empty();
}

}  // namespace

bool HasAnthropicContent(const Json& event) {
  if (NonEmptyText(event, {"delta/text", "delta/thinking", "delta/partial_json", "delta/signature"}))
    return true;
  auto block = StringAt(event, "content_block/type");
  return (block && *block != "text" && *block != "thinking") || NonEmptyText(event, {"content_block/text"});
}

bool HasOpenAiContent(const Json& event) {
  const Json* choices = Find(event, "choices");
  if (choices == nullptr || !choices->is_array()) return false;
  for (const auto& choice : *choices) {
    for (const char* part : {"delta", "message"}) {
      const Json* delta = Find(choice, part);
      if (delta == nullptr) continue;
      if (NonEmptyText(*delta, {"content", "reasoning_content", "reasoning", "refusal"})) return true;
      if (NonEmptyList(*delta, "tool_calls")) return true;
    }
    if (NonEmptyText(choice, {"text"})) return true;
  }
  return false;
}

}  // namespace helix::usage
