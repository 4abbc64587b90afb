#include "mcp/conformance/fixtures.h"

#include "core/base/json_fields.h"

namespace helix::mcp {

const char* const kTinyPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const char* const kTinyWav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

ServerTool FixtureTool(const std::string& name, ToolDuration duration, CallHandler call, Json input_schema) {
  if (input_schema.is_null()) input_schema = Json{{"type", "object"}, {"properties", Json::object()}};
  ServerTool tool;
  tool.name = name;
  tool.listing = Json{{"name", name},
                      {"description", "Conformance fixture " + name},
                      {"inputSchema", std::move(input_schema)}};
  tool.duration = duration;
  tool.call = std::move(call);
  return tool;
}

Json TextResult(const std::string& text) {
  return Json{{"content", Json::array({Json{{"type", "text"}, {"text", text}}})}};
}

Catalog ConformanceCatalog(std::function<void(const std::string& list)> list_changed) {
  Catalog catalog;
  catalog.name = "helix-perf-cache-conformance-fixtures";
  catalog.tools = PlainFixtureTools(list_changed);
  for (auto& tool : AskingFixtureTools()) catalog.tools.push_back(std::move(tool));
  for (auto& tool : RoundTripFixtureTools()) catalog.tools.push_back(std::move(tool));
  for (auto& tool : HostileFixtureTools()) catalog.tools.push_back(std::move(tool));
  AddTaskFixtures(catalog);
  catalog.prompts = FixturePrompts();
  catalog.resources = FixtureResources();
  catalog.default_log_level = "debug";
  catalog.list_changes = true;
  return catalog;
}

}  // namespace helix::mcp
