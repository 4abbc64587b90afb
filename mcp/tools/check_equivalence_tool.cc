#include "mcp/tools/check_equivalence_tool.h"

#include <algorithm>
#include <random>

#include "core/base/json_fields.h"
#include "core/equivalence/oracle_report.h"
#include "core/tracks/equivalence_check.h"
#include "core/tracks/track_b/hosted_equivalence.h"
#include "core/tracks/track_b/repeat_result.h"
#include "mcp/tools/run_arguments.h"
#include "mcp/tools/spend_switch.h"

namespace helix::mcp {
namespace {

// Any of these asks for the statistical mode.
constexpr const char* kStatistical[] = {"provider", "protocol",      "model_id",
                                        "repeats",  "prefix_tokens", "temperature"};

void AddStatistical(Json& properties) {
  Json providers = Json::array();
  for (const auto& profile : backend::ProviderProfiles()) providers.push_back(std::string(profile.name));
  properties["provider"] = {
      {"type", "string"},
      {"enum", providers},
      {"description",
       "Statistical mode: whose API is asked. Needs its key in the environment, and paid calls the user's "
       "permission."}};
  properties["protocol"] = {
      {"type", "string"},
      {"enum", Json::array({"anthropic", "openai"})},
      {"description", "Statistical mode at the endpoint or the managed server: what it speaks."}};
  properties["model_id"] = TextSchema("Statistical mode: model id, exactly as the provider names it.");
  properties["repeats"] = WholeSchema(2, 9, "Statistical mode: answers per prompt and arm, 2 to 9.");
  properties["prefix_tokens"] =
      WholeSchema(64, 200000, "Statistical mode: length of the cached text, 64 to 200000.");
  properties["temperature"] = {
      {"type", "number"},
      {"minimum", 0},
      {"maximum", 2},
      {"description", "Statistical mode: sampling temperature; without it the API's own is used."}};
}

Json InputSchema() {
  Json properties = LlamaTargetProperties(
      "Start a llama-server for this check and stop it afterwards. The control arm then runs on a "
      "second server with another micro-batch; on an endpoint it is a prompt cut to shape.",
      "quick: 3 prompts of 32 tokens, one boundary. standard: 8 prompts of 64 tokens, every "
      "boundary, 3 turns. thorough: 59 prompts, 6 turns, also the server's batch size. Statistical mode: 8 "
      "prompts of 3 repeats, 25 of 4, 59 of 4.");
  properties["prompts"] = WholeSchema(1, 1000, "Prompts beside those at the boundaries, 1 to 1000.");
  properties["output_tokens"] = WholeSchema(16, 4096, "Tokens compared per prompt, 16 to 4096.");
  properties["seed"] =
      SeedSchema("Decides the prompts; in the statistical mode a new one when it is left out.");
  properties["seed"].erase("default");
  AddStatistical(properties);
  return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json OutputSchema() {
  const Json text = {{"type", "string"}};
  const Json list = {{"type", "array"}, {"items", {{"type", "object"}}}};
  const Json object = {{"type", "object"}};
  Json properties = Json::object();
  properties["verdict"] = {{"type", "string"}, {"enum", {"PASS", "FAIL", "INCONCLUSIVE", "SKIP"}}};
  for (const char* name : {"reason", "bound", "numerics", "mode", "label", "model", "weights", "cold_means",
                           "report_path", "report_sha256", "skip_code", "skip_reason", "would_run_if"}) {
    properties[name] = text;
  }
  properties["class"] = {{"type", Json::array({"string", "null"})}};
  properties["diagnosis"] = {{"type", Json::array({"string", "null"})}};
  properties["release_blocking"] = {{"type", "boolean"}};
  properties["difference_detected"] = {{"type", Json::array({"boolean", "null"})}};
  properties["notices"] = {{"type", "array"}, {"items", text}};
  properties["negative_controls"] = list;
  properties["first_divergence"] = {{"type", Json::array({"integer", "null"})}};
  properties["cases"] = list;
  for (const char* name : {"classes", "server_context", "statistical", "arms", "needle", "cost"})
    properties[name] = object;
  properties["limits"] = {{"type", "array"}, {"items", text}};
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", Json::array({"verdict"})}};
}

Result<Json> RunStatistical(const Json& arguments, const Settings& settings, const RunContext& context) {
  const EnvReader env = ProcessEnvironment();
  tracks::HostedEquivalenceRequest request;
  request.target.endpoint = StringAt(arguments, "endpoint");
  request.target.provider = StringAt(arguments, "provider");
  request.target.protocol = StringAt(arguments, "protocol");
  request.target.model = StringAt(arguments, "model_id");
  request.managed = BoolAt(arguments, "managed").value_or(false);
  if (!request.target.endpoint && !request.target.provider && !request.managed &&
      StringAt(arguments, "protocol"))
    request.target.endpoint = settings.endpoint;
  request.profile = StringAt(arguments, "profile").value_or("quick");
  request.prompts = SmallInt(arguments, "prompts");
  request.repeats = SmallInt(arguments, "repeats");
  request.output_tokens = SmallInt(arguments, "output_tokens");
  request.prefix_tokens = SmallInt(arguments, "prefix_tokens");
  request.temperature = NumberAt(arguments, "temperature");
  // A seed of its own for every run: an equal one would send what the provider may still hold.
  const auto seed = IntAt(arguments, "seed");
  request.seed = seed ? static_cast<std::uint64_t>(*seed) : std::random_device{}() & 0x7fffffffU;
  auto spend = ReadSpendSwitch(arguments, settings, env);
  if (!spend) return tl::make_unexpected(spend.error());
  request.spend = std::move(*spend);
  Settings chosen = settings;
  if (settings.from_agent) return tracks::RunHostedEquivalence(request, chosen, env, context);
  request.out = StringAt(arguments, "out").value_or("");
  if (auto server = StringAt(arguments, "server")) chosen.llama_server = server;
  if (auto model = StringAt(arguments, "model")) chosen.model_file = model;
  return tracks::RunHostedEquivalence(request, chosen, env, context);
}

Result<Json> Run(const Json& arguments, const Settings& settings, const RunContext& context) {
  const bool statistical = std::any_of(std::begin(kStatistical), std::end(kStatistical),
                                       [&](const char* name) { return Find(arguments, name) != nullptr; });
  if (statistical) return RunStatistical(arguments, settings, context);
  tracks::EquivalenceCheckOptions options;
  options.target = TargetArguments(arguments, settings);
  options.profile = StringAt(arguments, "profile").value_or("quick");
  options.prompts = SmallInt(arguments, "prompts");
  options.output_tokens = SmallInt(arguments, "output_tokens");
  options.seed = static_cast<std::uint64_t>(IntAt(arguments, "seed").value_or(1));
  if (!settings.from_agent) options.out = StringAt(arguments, "out").value_or("");
  return tracks::RunEquivalenceCheck(options, settings, context);
}

std::string Render(const Json& result) {
  return StringAt(result, "mode") == "statistical" ? tracks::RepeatText(result)
                                                   : equivalence::ResultText(result);
}

Json CliProperties() {
  Json out = ManagedCliProperties();
  const Json spend = SpendCliProperties();
  for (const auto& [name, schema] : spend.items()) out[name] = schema;
  return out;
}

}  // namespace

Tool CheckEquivalenceTool() {
  Tool tool;
  tool.name = "check_equivalence";
  tool.subcommand = "check-equivalence";
  tool.title = "Check that the cache does not change answers";
  tool.description =
      "Use this to find out whether a prefix cache changes answers, and whether a difference is numerics or "
      "a "
      "wrong cache. On a llama-server it asks each prompt cached, fresh, fresh again and fresh in another "
      "batch "
      "shape, proves each arm by the server's counters, compares token ids and log-probabilities, and "
      "answers "
      "with a class: EXACT, NEAR_TIE, AMBIGUOUS, CORRUPTION, NONDETERMINISTIC_BASELINE or UNKNOWN. Only "
      "CORRUPTION blames the cache. With provider, protocol or model_id it asks a hosted API (or a local "
      "server "
      "through the same protocol) in its statistical mode: agreement within and across the arms, a "
      "permutation "
      "test, the difference it could have detected. Without a key it answers SKIP; calls that cost money are "
      "made only when the user has allowed them.";
  tool.input_schema = InputSchema();
  tool.output_schema = OutputSchema();
  tool.cli_properties = CliProperties();
  tool.cli_defaults = {{"profile", "standard"}};
  tool.annotations.open_world = true;
  tool.duration = ToolDuration::kLong;
  tool.handler = Run;
  tool.render = Render;
  return tool;
}

}  // namespace helix::mcp
