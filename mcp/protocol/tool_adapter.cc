#include "mcp/protocol/tool_adapter.h"

#include "core/base/json_fields.h"
#include "mcp/protocol/arguments.h"
#include "mcp/protocol/portable_schema.h"
#include "mcp/protocol/result_budget.h"
#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

Json TextBlock(const std::string& text) {
  return Json::array({Json{{"type", "text"}, {"text", text}}});
}

Json Listing(const Tool& tool) {
  const auto& a = tool.annotations;
  Json annotations{{"title", tool.title}, {"readOnlyHint", a.read_only}};
  if (!a.read_only) {
    annotations["destructiveHint"] = a.destructive;
    annotations["idempotentHint"] = a.idempotent;
  }
  annotations["openWorldHint"] = a.open_world;
  return Json{{"name", tool.name},
              {"title", tool.title},
              {"description", tool.description},
              {"inputSchema", PortableSchema(PublishedInputSchema(tool))},
              {"outputSchema", PortableSchema(PublishedOutputSchema(tool))},
              {"annotations", std::move(annotations)}};
}

Json Checked(const Json& value, const Json& output_schema, const KeepWhole& keep) {
  const auto problems = CheckValue(output_schema, value);
  if (!problems.empty()) {
    return ErrorResult("internal error: the result does not conform to the tool's output schema: " +
                       problems[0] + ". Please report this as a bug of helix-perf-cache.");
  }
  Json shown = FitBudget(value);
  if (shown.contains("truncated") && !value.contains("truncated") && keep) {
    if (const auto uri = keep(value); !uri.empty()) shown["full_result"] = uri;
  }
  return StructuredResult(shown);
}

}  // namespace

Json StructuredResult(const Json& value) {
  return Json{{"content", TextBlock(DumpPretty(value))}, {"structuredContent", value}};
}

Json ErrorResult(const std::string& text) {
  return Json{{"content", TextBlock(text)}, {"isError", true}};
}

Json PublishedOutputSchema(const Tool& tool) {
  Json schema = tool.output_schema;
  if (!schema.is_object()) schema = Json{{"type", "object"}};
  if (!schema.contains("properties")) schema["properties"] = Json::object();
  schema["properties"]["truncated"] =
      Json{{"type", "object"},
           {"description", "Places (JSON pointers) that were cut to fit, with shown and total length"}};
  schema["properties"]["full_result"] =
      Json{{"type", "string"}, {"description", "URI of the resource that holds the uncut result"}};
  return schema;
}

ServerTool AdaptTool(const Tool& tool, const Settings& settings, const KeepWhole& keep) {
  Settings agent = settings;
  agent.from_agent = true;
  ServerTool server;
  server.name = tool.name;
  server.listing = Listing(tool);
  server.duration = tool.duration;
  server.call = [name = tool.name, handler = tool.handler, agent, keep, input = PublishedInputSchema(tool),
                 output = PublishedOutputSchema(tool)](Call& call) -> RpcResult<Json> {
    auto arguments = PrepareArguments(name, input, std::move(call.arguments));
    if (!arguments) return ErrorResult(arguments.error().Text());
    auto result = handler(*arguments, agent, call.run);
    if (!result) return ErrorResult(result.error().Text());
    return Checked(*result, output, keep);
  };
  return server;
}

}  // namespace helix::mcp
