// Fixture tools that answer by themselves.
#include <chrono>
#include <thread>

#include "core/base/json_fields.h"
#include "mcp/conformance/fixtures.h"
#include "mcp/protocol/tool_adapter.h"

namespace helix::mcp {
namespace {

constexpr std::chrono::milliseconds kPause{60};

struct StaticTool {
  const char* name;
  const char* result;
};

// %PNG% and %WAV% stand for the two tiny files.
constexpr StaticTool kStatic[] = {
    {"test_simple_text",
     R"({"content":[{"type":"text","text":"This is a simple text response for testing."}]})"},
    {"test_image_content", R"({"content":[{"type":"image","data":"%PNG%","mimeType":"image/png"}]})"},
    {"test_audio_content", R"({"content":[{"type":"audio","data":"%WAV%","mimeType":"audio/wav"}]})"},
    {"test_embedded_resource", R"({"content":[{"type":"resource","resource":{"uri":"test://embedded-resource",
      "mimeType":"text/plain","text":"This is an embedded resource content."}}]})"},
    {"test_multiple_content_types", R"({"content":[{"type":"text","text":"Multiple content types test:"},
      {"type":"image","data":"%PNG%","mimeType":"image/png"},{"type":"resource","resource":{
      "uri":"test://mixed-content-resource","mimeType":"application/json","text":"{\"test\":\"data\",\"value\":123}"}}]})"},
    {"test_error_handling", R"({"isError":true,"content":[{"type":"text",
      "text":"This tool intentionally returns an error for testing"}]})"}};

// Kept word for word by tools/list.
constexpr const char* kJsonSchema2020 =
    R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
  "$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},
  "city":{"type":"string"}}}},"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
  "contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
  "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
  "if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},
  "else":{"required":["email"]},"additionalProperties":false})";

constexpr const char* kHeaderSchema = R"({"type":"object","properties":{
  "region":{"type":"string","x-mcp-header":"Region"},"count":{"type":"integer","x-mcp-header":"Count"},
  "dry_run":{"type":"boolean","x-mcp-header":"Dry-Run"}}})";

std::string Filled(std::string text) {
  for (const auto& [mark, file] :
       {std::pair<std::string, const char*>{"%PNG%", kTinyPng}, {"%WAV%", kTinyWav}}) {
    if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), file);
  }
  return text;
}

RpcResult<Json> LogThreeTimes(Call& call) {
  for (const char* text : {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    call.log("info", Json(text));
    std::this_thread::sleep_for(kPause);
  }
  return TextResult("logged three times");
}

RpcResult<Json> ReportProgress(Call& call) {
  for (const int done : {0, 50, 100}) {
    call.run.Report(done, 100, "step");
    std::this_thread::sleep_for(kPause);
  }
  return TextResult("reported three steps");
}

RpcResult<Json> NeedSampling(Call& call) {
  if (Find(call.client_capabilities, "sampling") != nullptr) return TextResult("sampling is declared");
  return tl::make_unexpected(RpcError{kMissingClientCapability,
                                      "this tool needs the client's sampling capability",
                                      Json{{"requiredCapabilities", {{"sampling", Json::object()}}}}});
}

// For clients that measure: an argument and its echo.
ServerTool Echo() {
  return FixtureTool(
      "echo", ToolDuration::kInstant,
      [](Call& call) -> RpcResult<Json> {
        return StructuredResult(Json{{"text", StringAt(call.arguments, "text").value_or("")}});
      },
      *ParseJson(R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"]})"));
}

}  // namespace

std::vector<ServerTool> PlainFixtureTools(const std::function<void(const std::string&)>& list_changed) {
  std::vector<ServerTool> tools;
  for (const auto& fixture : kStatic) {
    const Json result = *ParseJson(Filled(fixture.result));
    tools.push_back(FixtureTool(fixture.name, ToolDuration::kInstant, [result](Call&) { return result; }));
  }
  tools.push_back(FixtureTool("test_tool_with_logging", ToolDuration::kShort, LogThreeTimes));
  tools.push_back(FixtureTool("test_logging_tool", ToolDuration::kShort, LogThreeTimes));
  tools.push_back(FixtureTool("test_tool_with_progress", ToolDuration::kShort, ReportProgress));
  tools.push_back(FixtureTool("test_missing_capability", ToolDuration::kInstant, NeedSampling));
  tools.push_back(FixtureTool(
      "json_schema_2020_12_tool", ToolDuration::kInstant,
      [](Call& call) { return TextResult(DumpJson(call.arguments)); }, *ParseJson(kJsonSchema2020)));
  tools.push_back(FixtureTool(
      "test_custom_headers", ToolDuration::kInstant,
      [](Call& call) { return TextResult(DumpJson(call.arguments)); }, *ParseJson(kHeaderSchema)));
  for (const char* list : {"tool", "prompt"}) {
    tools.push_back(FixtureTool("test_trigger_" + std::string(list) + "_change", ToolDuration::kShort,
                                [list_changed, name = std::string(list) + "s"](Call&) {
                                  list_changed(name);
                                  return TextResult("said that " + name + " changed");
                                }));
  }
  tools.push_back(Echo());
  return tools;
}

}  // namespace helix::mcp
