#include "mcp/protocol/arguments.h"

#include "core/base/json_fields.h"
#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

constexpr const char* kInjectedArgument = "wait_for_previous";

Json Closed(Json schema) {
  if (!schema.contains("type")) schema["type"] = "object";
  if (!schema.contains("properties")) schema["properties"] = Json::object();
  if (!schema.contains("additionalProperties")) schema["additionalProperties"] = false;
  return schema;
}

// A null for something that may be left out means that it was left out.
void DropAbsent(const Json& properties, Json& arguments) {
  for (auto it = arguments.begin(); it != arguments.end();) {
    const Json* rule = Find(properties, it.key());
    const bool injected = rule == nullptr && it.key() == kInjectedArgument;
    const bool null = rule != nullptr && it.value().is_null() && !CheckValue(*rule, it.value()).empty();
    if (injected || null) {
      it = arguments.erase(it);
    } else {
      ++it;
    }
  }
}

void FillDefaults(const Json& properties, Json& arguments) {
  for (const auto& [name, rule] : properties.items()) {
    const Json* value = Find(rule, "default");
    if (value != nullptr && !arguments.contains(name)) arguments[name] = *value;
  }
}

}  // namespace

Json PublishedInputSchema(const Tool& tool) {
  return Closed(tool.input_schema);
}

Json CommandLineSchema(const Tool& tool) {
  Json schema = Closed(tool.input_schema);
  for (const auto& [name, rule] : tool.cli_properties.items()) schema["properties"][name] = rule;
  for (const auto& [name, value] : tool.cli_defaults.items()) schema["properties"][name]["default"] = value;
  return schema;
}

Result<Json> PrepareArguments(const std::string& tool_name, const Json& schema, Json arguments) {
  if (arguments.is_null()) arguments = Json::object();
  if (!arguments.is_object()) {
    return Fail(ErrorCode::kInvalidArgument, tool_name + ": arguments must be a JSON object",
                "send {\"name\": value, ...}, or {} for the defaults");
  }
  const Json* properties = Find(schema, "properties");
  if (properties != nullptr) {
    DropAbsent(*properties, arguments);
    FillDefaults(*properties, arguments);
  }
  const auto problems = CheckValue(schema, arguments);
  if (problems.empty()) return arguments;
  std::string text = tool_name + ": ";
  for (std::size_t i = 0; i < problems.size(); ++i) text += (i > 0 ? "; " : "") + problems[i];
  return Fail(ErrorCode::kInvalidArgument, text, "correct this and call " + tool_name + " again");
}

}  // namespace helix::mcp
