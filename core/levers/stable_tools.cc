#include "core/levers/stable_tools.h"

#include <algorithm>
#include <vector>

#include "core/base/json_fields.h"

namespace helix::levers {
namespace {

std::string NameOf(const Json& tool) {
  if (auto name = StringAt(tool, "name")) return *name;
  return StringAt(tool, "function/name").value_or("");
}

Json Stable(const Json& value, const std::string& key) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const auto& item : value) out.push_back(Stable(item, ""));
    const bool names = key == "required" &&
                       std::all_of(out.begin(), out.end(), [](const Json& item) { return item.is_string(); });
    if (names) std::sort(out.begin(), out.end());
    return out;
  }
  if (!value.is_object()) return value;
  std::vector<std::string> keys;
  for (auto it = value.begin(); it != value.end(); ++it) keys.push_back(it.key());
  if (key != "properties") std::sort(keys.begin(), keys.end());
  Json out = Json::object();
  for (const auto& name : keys) out[name] = Stable(value.at(name), name);
  return out;
}

Json ByName(const Json& tools) {
  std::vector<Json> list(tools.begin(), tools.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const Json& a, const Json& b) { return NameOf(a) < NameOf(b); });
  return Json(list);
}

// Without regard to the order of keys, `properties` included.
Json Unordered(const Json& value) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const auto& item : value) out.push_back(Unordered(item));
    return out;
  }
  if (!value.is_object()) return value;
  std::vector<std::string> keys;
  for (auto it = value.begin(); it != value.end(); ++it) keys.push_back(it.key());
  std::sort(keys.begin(), keys.end());
  Json out = Json::object();
  for (const auto& name : keys) out[name] = Unordered(value.at(name));
  return out;
}

}  // namespace

Json StableTools(const Json& tools) {
  if (!tools.is_array()) return tools;
  Json out = Json::array();
  for (const auto& tool : ByName(tools)) out.push_back(Stable(tool, ""));
  return out;
}

const char* ToolsDifference(const Json& a, const Json& b) {
  if (DumpJson(a) == DumpJson(b)) return "";
  if (!a.is_array() || !b.is_array()) return "tools_changed";
  if (DumpJson(Unordered(a)) == DumpJson(Unordered(b))) return "key_order";
  if (DumpJson(Unordered(ByName(a))) == DumpJson(Unordered(ByName(b)))) return "tool_order";
  return "tools_changed";
}

}  // namespace helix::levers
