#include "mcp/tools/check_equivalence_tool.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "core/equivalence/oracle_report.h"
#include "core/tracks/equivalence_check.h"

namespace helix::mcp {
namespace {

Json Text(const char* description) {
  return {{"type", "string"}, {"description", description}};
}

Json Whole(int least, int most, const char* description) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}, {"description", description}};
}

Json InputSchema() {
  Json properties = Json::object();
  properties["endpoint"] = Text(
      "Base URL of a running llama-server, such as http://localhost:8080. Without it the configured one. "
      "Only "
      "loopback addresses and those the user allowed are called.");
  properties["managed"] = {
      {"type", "boolean"},
      {"default", false},
      {"description",
       "Start a llama-server for this check and stop it afterwards. The control arm then runs on a "
       "second server with another micro-batch; on an endpoint it is a prompt cut to shape."}};
  properties["profile"] = {
      {"type", "string"},
      {"enum", {"quick", "standard", "thorough"}},
      {"default", "quick"},
      {"description",
       "quick: 3 prompts of 32 tokens, one boundary. standard: 8 prompts of 64 tokens, every "
       "boundary, 3 turns. thorough: 59 prompts, 6 turns, also the server's batch size."}};
  properties["prompts"] = Whole(1, 1000, "Prompts beside those at the boundaries, 1 to 1000.");
  properties["output_tokens"] = Whole(16, 4096, "Tokens compared per prompt, 16 to 4096.");
  properties["seed"] = {{"type", "integer"},
                        {"minimum", 0},
                        {"maximum", 9007199254740991},
                        {"default", 1},
                        {"description", "Decides the prompts."}};
  return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json OutputSchema() {
  const Json text = {{"type", "string"}};
  const Json list = {{"type", "array"}, {"items", {{"type", "object"}}}};
  Json properties = Json::object();
  properties["verdict"] = {{"type", "string"}, {"enum", {"PASS", "FAIL", "INCONCLUSIVE", "SKIP"}}};
  for (const char* name : {"reason", "bound", "numerics", "model", "weights", "report_path", "report_sha256",
                           "skip_code", "skip_reason", "would_run_if"}) {
    properties[name] = text;
  }
  properties["class"] = {{"type", Json::array({"string", "null"})}};
  properties["classes"] = {{"type", "object"}};
  properties["diagnosis"] = {{"type", Json::array({"string", "null"})}};
  properties["release_blocking"] = {{"type", "boolean"}};
  properties["notices"] = {{"type", "array"}, {"items", text}};
  properties["negative_controls"] = list;
  properties["first_divergence"] = {{"type", Json::array({"integer", "null"})}};
  properties["cases"] = list;
  properties["server_context"] = {{"type", "object"}};
  properties["statistical"] = {{"type", "object"}};
  properties["limits"] = {{"type", "array"}, {"items", text}};
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", Json::array({"verdict"})}};
}

std::optional<int> SmallInt(const Json& arguments, const char* name) {
  const auto value = IntAt(arguments, name);
  if (!value) return std::nullopt;
  return static_cast<int>(std::clamp<std::int64_t>(*value, -1, 1'000'000));  // core checks the range
}

Result<Json> Run(const Json& arguments, const Settings& settings, const RunContext& context) {
  tracks::EquivalenceCheckOptions options;
  options.target.managed = BoolAt(arguments, "managed").value_or(false);
  options.target.endpoint = StringAt(arguments, "endpoint");
  options.profile = StringAt(arguments, "profile").value_or("quick");
  options.prompts = SmallInt(arguments, "prompts");
  options.output_tokens = SmallInt(arguments, "output_tokens");
  options.seed = static_cast<std::uint64_t>(IntAt(arguments, "seed").value_or(1));
  if (!settings.from_agent) {
    options.target.server = StringAt(arguments, "server");
    options.target.model_file = StringAt(arguments, "model");
    options.out = StringAt(arguments, "out").value_or("");
  }
  return tracks::RunEquivalenceCheck(options, settings, context);
}

}  // namespace

Tool CheckEquivalenceTool() {
  Tool tool;
  tool.name = "check_equivalence";
  tool.subcommand = "check-equivalence";
  tool.title = "Check that the cache does not change answers";
  tool.description =
      "Use this to find out whether a llama-server's prefix cache changes its answers, and whether a "
      "difference is "
      "numerics or a wrong cache. Asks each prompt cached, fresh, fresh again and fresh in another batch "
      "shape, proves "
      "each arm by the server's counters, compares token ids and log-probabilities, and answers with a "
      "class: EXACT, "
      "NEAR_TIE, AMBIGUOUS, CORRUPTION, NONDETERMINISTIC_BASELINE or UNKNOWN. Only CORRUPTION blames the "
      "cache.";
  tool.input_schema = InputSchema();
  tool.output_schema = OutputSchema();
  tool.cli_properties = {
      {"server", Text("The llama-server program of --managed (HELIX_LLAMA_SERVER; else the one in PATH).")},
      {"model",
       Text("The GGUF file of --managed (HELIX_MODEL; else a small model with random weights is made).")},
      {"out", Text("Write a copy of the report to this file.")}};
  tool.cli_defaults = {{"profile", "standard"}};
  tool.annotations.open_world = true;
  tool.duration = ToolDuration::kLong;
  tool.handler = Run;
  tool.render = equivalence::ResultText;
  return tool;
}

}  // namespace helix::mcp
