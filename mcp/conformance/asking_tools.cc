// Fixture tools that ask the client while they run, as the revisions up to 2025-11-25 do.
#include "core/base/json_fields.h"
#include "mcp/conformance/fixtures.h"

namespace helix::mcp {
namespace {

constexpr const char* kDefaults =
    R"({"type":"object","properties":{"name":{"type":"string","default":"John Doe"},
  "age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},
  "status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
  "verified":{"type":"boolean","default":true}},"required":[]})";

constexpr const char* kEnums = R"({"type":"object","properties":{
  "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
  "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
    {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
  "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
  "untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
  "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
    {"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},"required":[]})";

constexpr const char* kUser =
    R"({"type":"object","properties":{"username":{"type":"string","description":"User name"},
  "email":{"type":"string","description":"Mail address"}},"required":["username","email"]})";

CallHandler Elicit(const std::string& message, const char* schema, const std::string& prefix) {
  return [=](Call& call) -> RpcResult<Json> {
    const auto text = StringAt(call.arguments, "message").value_or(message);
    auto answer =
        call.ask("elicitation/create", Json{{"message", text}, {"requestedSchema", *ParseJson(schema)}});
    if (!answer) return tl::make_unexpected(answer.error());
    const Json* content = Find(*answer, "content");
    return TextResult(prefix + "action=" + StringAt(*answer, "action").value_or("none") +
                      ", content=" + (content != nullptr ? DumpJson(*content) : "{}"));
  };
}

RpcResult<Json> Sample(Call& call) {
  const Json text{{"type", "text"}, {"text", StringAt(call.arguments, "prompt").value_or("")}};
  const Json messages = Json::array({Json{{"role", "user"}, {"content", text}}});
  auto answer = call.ask("sampling/createMessage", Json{{"messages", messages}, {"maxTokens", 100}});
  if (!answer) return tl::make_unexpected(answer.error());
  return TextResult("LLM response: " + StringAt(*answer, "content/text").value_or(""));
}

Json OneString(const char* name) {
  return Json{
      {"type", "object"}, {"properties", {{name, {{"type", "string"}}}}}, {"required", Json::array({name})}};
}

}  // namespace

std::vector<ServerTool> AskingFixtureTools() {
  return {FixtureTool("test_sampling", ToolDuration::kShort, Sample, OneString("prompt")),
          FixtureTool("test_elicitation", ToolDuration::kShort,
                      Elicit("Who are you?", kUser, "User response: "), OneString("message")),
          FixtureTool("test_elicitation_sep1034_defaults", ToolDuration::kShort,
                      Elicit("Check the defaults", kDefaults, "Elicitation completed: ")),
          FixtureTool("test_elicitation_sep1330_enums", ToolDuration::kShort,
                      Elicit("Choose", kEnums, "Elicitation completed: "))};
}

}  // namespace helix::mcp
