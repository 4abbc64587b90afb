#include "mcp/tools/bench_track_a_tool.h"

#include "core/base/json_fields.h"
#include "core/tracks/track_a.h"
#include "core/tracks/track_a_text.h"
#include "core/tracks/workload/workload.h"
#include "mcp/tools/run_arguments.h"

namespace helix::mcp {
namespace {

Json Whole(const char* description) {
  return {{"type", "integer"}, {"minimum", 1}, {"description", description}};
}

Json InputSchema() {
  Json properties = LlamaTargetProperties(
      "Start a llama-server for this run and stop it afterwards, instead of using an endpoint.",
      "quick: 10 pairs of a 512-token prefix, seconds on a small model. standard: 12 pairs of 1024. "
      "thorough: "
      "30 pairs of 2048, minutes.");
  properties["pairs"] =
      Whole("Pairs of one call without and one with the cache, 2 to 1000; 10 are needed for a verdict.");
  properties["prefix_tokens"] =
      Whole("Length of the shared prefix, 64 to 1000000 tokens; shortened to the server's slot.");
  properties["new_tokens"] = Whole("Length of the new turn behind the prefix, 2 to 100000 tokens.");
  properties["output_tokens"] = Whole("Tokens generated in each call, 2 to 100000.");
  properties["seed"] = SeedSchema("Decides the prompts and the order of the arms.");
  return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json RatioSchema() {
  return {{"type", Json::array({"object", "null"})},
          {"properties",
           {{"value", {{"type", "number"}}},
            {"ci_low", {{"type", "number"}}},
            {"ci_high", {{"type", "number"}}}}}};
}

Json OutputSchema() {
  const Json text = {{"type", "string"}};
  return {{"type", "object"},
          {"properties",
           {{"verdict", {{"type", "string"}, {"enum", {"PASS", "FAIL", "INCONCLUSIVE", "SKIP"}}}},
            {"reason", text},
            {"synthetic", {{"type", "boolean"}}},
            {"model", text},
            {"pairs", {{"type", "integer"}}},
            {"prefill_ratio", RatioSchema()},
            {"ttft_ratio", RatioSchema()},
            {"end_to_end_ratio", RatioSchema()},
            {"decode_ratio", RatioSchema()},
            {"skip_bound", {{"type", Json::array({"number", "null"})}}},
            {"off", {{"type", "object"}}},
            {"on", {{"type", "object"}}},
            {"equivalence", {{"type", "object"}}},
            {"findings", {{"type", "array"}, {"items", {{"type", "object"}}}}},
            {"report_path", text},
            {"report_sha256", text},
            {"skip_code", text},
            {"skip_reason", text},
            {"would_run_if", text}}},
          {"required", Json::array({"verdict"})}};
}

tracks::TrackAOptions OptionsOf(const Json& arguments, const Settings& settings) {
  tracks::TrackAOptions options;
  options.target = TargetArguments(arguments, settings);
  options.profile = StringAt(arguments, "profile").value_or("quick");
  options.overrides = {SmallInt(arguments, "pairs"), SmallInt(arguments, "prefix_tokens"),
                       SmallInt(arguments, "new_tokens"), SmallInt(arguments, "output_tokens")};
  options.seed = static_cast<std::uint64_t>(IntAt(arguments, "seed").value_or(1));
  if (settings.from_agent) return options;
  options.target.engine = StringAt(arguments, "engine").value_or("llama-server");
  options.out = StringAt(arguments, "out").value_or("");
  return options;
}

Result<Json> Run(const Json& arguments, const Settings& settings, const RunContext& context) {
  const tracks::TrackAOptions options = OptionsOf(arguments, settings);
  const auto workload = settings.from_agent ? std::nullopt : StringAt(arguments, "workload");
  return workload ? tracks::RunWorkload(options, *workload, settings, context)
                  : tracks::RunTrackA(options, settings, context);
}

std::string Render(const Json& result) {
  return Find(result, "workload") ? tracks::WorkloadText(result) : tracks::TrackAText(result);
}

}  // namespace

Tool BenchTrackATool() {
  Tool tool;
  tool.name = "bench_track_a";
  tool.subcommand = "bench-track-a";
  tool.title = "Measure a llama-server's prefix cache";
  tool.description =
      "Use this to find out, by measuring, whether a llama-server's prefix cache works and what it saves. "
      "Sends each "
      "prompt with the cache off and on in random order, proves each arm by the server's own counters, and "
      "answers "
      "with prefill, end-to-end and decode ratios with 95 % intervals, the bound that skipping allows, a "
      "verdict and "
      "the path of the full report. Answers SKIP with the reason where nothing can be measured.";
  tool.input_schema = InputSchema();
  tool.output_schema = OutputSchema();
  tool.cli_properties = ManagedCliProperties();
  tool.cli_properties["workload"] = TextSchema(
      "Instead of pairs: a capture that `record` wrote is replayed turn by turn; shapes sends ten "
      "shapes of traffic (or one by name: agent_loop, tree, ...) and compares every reuse with "
      "its prediction; sweep measures lengths and overlaps and fits the cost model.");
  tool.cli_properties["engine"] = {
      {"type", "string"},
      {"enum", {"llama-server", "vllm", "sglang"}},
      {"description", "What --managed starts; for vllm and sglang name --server (full path) and --model."}};
  tool.cli_defaults = {{"profile", "standard"}};
  tool.annotations.open_world = true;
  tool.duration = ToolDuration::kLong;
  tool.handler = Run;
  tool.render = Render;
  return tool;
}

}  // namespace helix::mcp
