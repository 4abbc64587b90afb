#include "mcp/tools/bench_track_a_tool.h"

#include "core/base/json_fields.h"
#include "core/tracks/track_a.h"
#include "core/tracks/track_a_text.h"
#include "core/tracks/workload/workload.h"

namespace helix::mcp {
namespace {

Json Whole(const char* description) {
  return {{"type", "integer"}, {"minimum", 1}, {"description", description}};
}

Json Text(const char* description) {
  return {{"type", "string"}, {"description", description}};
}

Json InputSchema() {
  return {
      {"type", "object"},
      {"properties",
       {{"endpoint", Text("Base URL of a running llama-server, such as http://localhost:8080. Without it the "
                          "configured one. Only loopback addresses and those the user allowed are called.")},
        {"managed",
         {{"type", "boolean"},
          {"default", false},
          {"description",
           "Start a llama-server for this run and stop it afterwards, instead of using an endpoint."}}},
        {"profile",
         {{"type", "string"},
          {"enum", {"quick", "standard", "thorough"}},
          {"default", "quick"},
          {"description",
           "quick: 10 pairs of a 512-token prefix, seconds on a small model. standard: 12 pairs of "
           "1024. thorough: 30 pairs of 2048, minutes."}}},
        {"pairs",
         Whole("Pairs of one call without and one with the cache, 2 to 1000; 10 are needed for a verdict.")},
        {"prefix_tokens",
         Whole("Length of the shared prefix, 64 to 1000000 tokens; shortened to the server's slot.")},
        {"new_tokens", Whole("Length of the new turn behind the prefix, 2 to 100000 tokens.")},
        {"output_tokens", Whole("Tokens generated in each call, 2 to 100000.")},
        {"seed",
         {{"type", "integer"},
          {"minimum", 0},
          {"maximum", 9007199254740991},
          {"default", 1},
          {"description", "Decides the prompts and the order of the arms."}}}}},
      {"additionalProperties", false}};
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

std::optional<int> SmallInt(const Json& arguments, const char* name) {
  const auto value = IntAt(arguments, name);
  if (!value) return std::nullopt;
  return static_cast<int>(
      std::min<std::int64_t>(*value, 1'000'000'000));  // the range is checked where it is known
}

tracks::TrackAOptions OptionsOf(const Json& arguments, const Settings& settings) {
  tracks::TrackAOptions options;
  options.target.managed = BoolAt(arguments, "managed").value_or(false);
  options.target.endpoint = StringAt(arguments, "endpoint");
  options.profile = StringAt(arguments, "profile").value_or("quick");
  options.overrides = {SmallInt(arguments, "pairs"), SmallInt(arguments, "prefix_tokens"),
                       SmallInt(arguments, "new_tokens"), SmallInt(arguments, "output_tokens")};
  options.seed = static_cast<std::uint64_t>(IntAt(arguments, "seed").value_or(1));
  if (settings.from_agent) return options;
  options.target.server = StringAt(arguments, "server");
  options.target.model_file = StringAt(arguments, "model");
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
  tool.cli_properties = {
      {"server", Text("The llama-server program of --managed (HELIX_LLAMA_SERVER; else the one in PATH).")},
      {"model",
       Text("The GGUF file of --managed (HELIX_MODEL; else a small model with random weights is made).")},
      {"workload",
       Text("Instead of pairs: a capture that `record` wrote is replayed turn by turn; shapes sends ten "
            "shapes of traffic (or one by name: agent_loop, tree, ...) and compares every reuse with "
            "its prediction; sweep measures lengths and overlaps and fits the cost model.")},
      {"engine",
       {{"type", "string"},
        {"enum", {"llama-server", "vllm", "sglang"}},
        {"description",
         "What --managed starts; for vllm and sglang name --server (full path) and --model."}}},
      {"out", Text("Write a copy of the report to this file.")}};
  tool.cli_defaults = {{"profile", "standard"}};
  tool.annotations.open_world = true;
  tool.duration = ToolDuration::kLong;
  tool.handler = Run;
  tool.render = Render;
  return tool;
}

}  // namespace helix::mcp
