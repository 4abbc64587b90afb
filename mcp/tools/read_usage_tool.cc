#include "mcp/tools/read_usage_tool.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/cost/usage_cost.h"
#include "core/usage/provider.h"
#include "core/usage/usage_document.h"

namespace helix::mcp {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 30;

Json ProviderSchema() {
  Json names = Json::array();
  for (auto name : usage::ProviderNames()) names.push_back(std::string(name));
  return {{"type", "string"},
          {"enum", names},
          {"description", "Who sent the reply. Without it the shape is recognised from the fields."}};
}

Json InputSchema() {
  Json reply = {{"type", "string"},
                {"description",
                 "The reply itself: JSON, an SSE stream, JSON lines, {\"trace\": [...]} or metrics text."}};
  return {{"type", "object"},
          {"properties", {{"reply", reply}, {"provider", ProviderSchema()}}},
          {"additionalProperties", false}};
}

Json CliProperties() {
  return {
      {"file", {{"type", "string"}, {"description", "File with the reply; - is standard input."}}},
      {"prices", {{"type", "string"}, {"description", "Price file (helix.prices/1) whose rows come first."}}},
      {"at",
       {{"type", "string"},
        {"description",
         "UTC time of the call for its price, such as 2026-12-01T00:00:00Z; now by default."}}}};
}

Json OutputSchema() {
  const Json number = {{"type", Json::array({"number", "null"})}};
  Json properties = Json::object();
  for (const char* name :
       {"in_total", "in_uncached", "cache_read", "cache_write_5m", "cache_write_1h", "cache_write_other",
        "out_total", "out_reasoning", "reported_cost", "prefill_ms", "decode_ms"}) {
    properties[name] = number;
  }
  properties["visibility"] = {{"type", "string"}};
  properties["flags"] = {{"type", "array"}, {"items", {{"type", "string"}}}};
  return {{"type", "object"}, {"properties", properties}, {"required", Json::array({"visibility", "flags"})}};
}

Result<std::string> ReplyText(const Json& arguments) {
  auto reply = StringAt(arguments, "reply");
  auto file = StringAt(arguments, "file");
  if (reply.has_value() == file.has_value()) {
    return Fail(ErrorCode::kInvalidArgument,
                "expected either the reply's text or a file, and exactly one of them",
                "pass the body the provider sent");
  }
  return reply ? Result<std::string>(*reply) : ReadFile(*file, kLargestFile);
}

// A cost needs the route, and the provider names it; without one there is no price to look up.
Result<Json> CostOfLast(const usage::UsageDocument& document, const Json& arguments) {
  auto route = StringAt(arguments, "provider");
  if (!route)
    return Json{{"kind", "unknown"}, {"usd", nullptr}, {"notes", Json::array({"no provider was named"})}};
  auto table = cost::LoadPrices(StringAt(arguments, "prices").value_or(""));
  if (!table) return tl::make_unexpected(table.error());
  const auto& reply = document.last();
  auto in_total = reply.usage.in_total;
  auto row = table->Find(*route, reply.model, StringAt(arguments, "at").value_or(UtcTimestamp()),
                         in_total.present() ? in_total.value().count : 0);
  if (!row) {
    return Json{{"kind", "unknown"},
                {"usd", nullptr},
                {"notes", Json::array({"price: unknown for this route, model and time"})}};
  }
  Json out = cost::ToJson(cost::CostOf(reply.usage, *row));
  out["usd_without_cache"] = cost::ToJson(cost::CostWithoutCache(reply.usage, *row))["usd"];
  out["price_source"] = row->source;
  out["price_as_of"] = row->as_of;
  return out;
}

Result<Json> Handle(const Json& arguments, const Settings&, const RunContext&) {
  auto text = ReplyText(arguments);
  if (!text) return tl::make_unexpected(text.error());
  auto document = usage::ReadUsageDocument(*text, StringAt(arguments, "provider").value_or(""));
  if (!document) return tl::make_unexpected(document.error());
  Json out = usage::ToJson(*document);
  auto cost = CostOfLast(*document, arguments);
  if (!cost) return tl::make_unexpected(cost.error());
  out["cost"] = *cost;
  return out;
}

}  // namespace

Tool ReadUsageTool() {
  Tool tool;
  tool.name = "read_usage";
  tool.subcommand = "usage";
  tool.title = "Read token usage";
  tool.description =
      "Use this to learn what a provider's reply says about prompt caching: tokens read from the cache, "
      "written, "
      "uncached and generated, in one form for every provider. A number the reply does not give is null, "
      "never 0.";
  tool.input_schema = InputSchema();
  tool.output_schema = OutputSchema();
  tool.cli_properties = CliProperties();
  tool.positionals = {"file"};
  tool.annotations = {true, false, true, false};
  tool.handler = Handle;
  return tool;
}

}  // namespace helix::mcp
