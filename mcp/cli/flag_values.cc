#include "mcp/cli/flag_values.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

std::string FirstType(const Json& schema) {
  if (auto type = StringAt(schema, "type")) return *type;
  const Json* types = Find(schema, "type");
  return types != nullptr && !types->empty() && types->front().is_string() ? types->front().get<std::string>()
                                                                           : "";
}

Result<Json> One(const std::string& property, const Json& schema, const std::string& word) {
  const auto type = FirstType(schema);
  if (type == "string") return Json(word);
  auto parsed = ParseJson(word);
  if (type.empty()) return parsed ? *parsed : Json(word);
  if (!parsed || parsed->is_string()) {
    return Fail(ErrorCode::kInvalidArgument, "--" + FlagName(property) + " must be " +
                                                 DescribeExpected(schema) + ", but it is \"" + word + "\"");
  }
  return parsed;
}

}  // namespace

std::string FlagName(const std::string& property) {
  std::string name = property;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

Result<Json> FlagValue(const std::string& property, const Json& schema,
                       const std::vector<std::string>& words) {
  if (FirstType(schema) != "array") return One(property, schema, words.back());
  if (words.size() == 1 && !words[0].empty() && words[0][0] == '[') return One(property, schema, words[0]);
  static const Json any = Json::object();
  const Json* items = Find(schema, "items");
  Json list = Json::array();
  for (const auto& word : words) {
    auto value = One(property, items != nullptr ? *items : any, word);
    if (!value) return value;
    list.push_back(std::move(*value));
  }
  return list;
}

}  // namespace helix::mcp
