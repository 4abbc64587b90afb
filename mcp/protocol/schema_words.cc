// A schema put into words, and the check that a schema says nothing that CheckValue would not look at.
#include <array>
#include <cmath>
#include <string_view>

#include "core/base/json_fields.h"
#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

std::string NumberText(double number) {
  if (std::floor(number) == number && std::abs(number) <= 9007199254740992.0)
    return std::to_string(static_cast<std::int64_t>(number));
  return DumpJson(Json(number));
}

std::string RangeText(const Json& schema, const char* min_word, const char* max_word,
                      const std::string& unit) {
  const auto min = NumberAt(schema, min_word);
  const auto max = NumberAt(schema, max_word);
  if (min && max) return " from " + NumberText(*min) + " to " + NumberText(*max) + unit;
  if (min) return " of at least " + NumberText(*min) + unit;
  if (max) return " of at most " + NumberText(*max) + unit;
  return "";
}

std::string NumberRange(const Json& schema) {
  std::string text = RangeText(schema, "minimum", "maximum", "");
  if (auto above = NumberAt(schema, "exclusiveMinimum")) text += " above " + NumberText(*above);
  if (auto below = NumberAt(schema, "exclusiveMaximum")) text += " below " + NumberText(*below);
  return text;
}

std::string TypeText(const std::string& type, const Json& schema) {
  if (type == "integer") return "an integer" + NumberRange(schema);
  if (type == "number") return "a number" + NumberRange(schema);
  if (type == "string") return "a string" + RangeText(schema, "minLength", "maxLength", " characters");
  if (type == "boolean") return "true or false";
  if (type == "array") {
    const Json* items = Find(schema, "items");
    return "a list" + RangeText(schema, "minItems", "maxItems", " entries") +
           (items != nullptr ? " in which each is " + DescribeExpected(*items) : "");
  }
  return type == "object" ? "an object" : type;
}

constexpr std::array<std::string_view, 20> kKnownWords = {"type",
                                                          "enum",
                                                          "const",
                                                          "properties",
                                                          "required",
                                                          "additionalProperties",
                                                          "items",
                                                          "minimum",
                                                          "maximum",
                                                          "exclusiveMinimum",
                                                          "exclusiveMaximum",
                                                          "minLength",
                                                          "maxLength",
                                                          "minItems",
                                                          "maxItems",
                                                          "title",
                                                          "description",
                                                          "default",
                                                          "format",
                                                          "examples"};

void LintAt(const Json& schema, const std::string& where, std::vector<std::string>& problems) {
  if (!schema.is_object()) {
    problems.push_back(where + " is not an object");
    return;
  }
  for (const auto& [word, value] : schema.items()) {
    bool known = false;
    for (const auto candidate : kKnownWords) known = known || candidate == word;
    if (!known) problems.push_back(where + " uses `" + word + "`, which nothing checks");
  }
  if (const Json* properties = Find(schema, "properties")) {
    for (const auto& [name, member] : properties->items()) LintAt(member, where + "." + name, problems);
  }
  if (const Json* items = Find(schema, "items")) LintAt(*items, where + "[]", problems);
  if (const Json* extra = Find(schema, "additionalProperties"); extra != nullptr && !extra->is_boolean()) {
    problems.push_back(where + ": additionalProperties must be true or false");
  }
}

}  // namespace

std::string DescribeExpected(const Json& schema) {
  if (const Json* options = Find(schema, "enum"); options != nullptr && options->is_array()) {
    std::string text = "one of";
    for (const Json& option : *options) text += (text.size() > 6 ? ", " : " ") + DumpJson(option);
    return text;
  }
  if (const Json* only = Find(schema, "const")) return DumpJson(*only);
  const Json* type = Find(schema, "type");
  if (type == nullptr) return "any JSON value";
  if (type->is_string()) return TypeText(type->get<std::string>(), schema);
  std::string text;
  for (const Json& item : *type) {
    if (item.is_string()) text += (text.empty() ? "" : " or ") + TypeText(item.get<std::string>(), schema);
  }
  return text;
}

std::vector<std::string> SchemaProblems(const Json& schema) {
  std::vector<std::string> problems;
  if (StringAt(schema, "type") != "object") problems.emplace_back("the root must be {\"type\":\"object\"}");
  LintAt(schema, "root", problems);
  return problems;
}

}  // namespace helix::mcp
