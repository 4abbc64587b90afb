#include "mcp/tools/bench_track_b_tool.h"

#include <random>

#include "core/base/json_fields.h"
#include "core/levers/concise.h"
#include "core/tracks/track_b/track_b.h"
#include "mcp/tools/run_arguments.h"
#include "mcp/tools/spend_switch.h"

namespace helix::mcp {
namespace {

constexpr int kFewestPairs = 10;

Json Whole(int low, int high, int otherwise, const std::string& what) {
  return {{"type", "integer"},
          {"minimum", low},
          {"maximum", high},
          {"default", otherwise},
          {"description", what}};
}

Json InputSchema() {
  Json providers = Json::array();
  for (const auto& profile : backend::ProviderProfiles()) providers.push_back(std::string(profile.name));
  Json properties = Json::object();
  properties["provider"] = {
      {"type", "string"},
      {"enum", providers},
      {"description", "Whose API; without it the first whose key is in the environment."}};
  properties["endpoint"] = TextSchema(
      "Base URL of a server or router instead of the provider's own, such as http://127.0.0.1:8080.");
  properties["managed"] = {
      {"type", "boolean"},
      {"default", false},
      {"description", "Start a llama-server for this run, measure its /v1/messages and stop it afterwards."}};
  properties["protocol"] = {{"type", "string"},
                            {"enum", Json::array({"anthropic", "openai"})},
                            {"description",
                             "What the endpoint speaks; anthropic by default, openai at a claude-code-router "
                             "3.x, where it loses less."}};
  properties["model"] = TextSchema("Model id, exactly as the provider names it.");
  properties["pairs"] =
      Whole(kFewestPairs, 200, kFewestPairs, "Pairs of one cold and one warm call, 10 to 200.");
  properties["prefix_tokens"] =
      Whole(64, 200000, 5000, "Length of the shared prefix in tokens, 64 to 200000.");
  properties["output_tokens"] =
      Whole(1, 4096, 48, "Most tokens to generate per call; 32 are needed for a decode rate.");
  properties["turns"] = Whole(0, 20, 4, "Turns of the growing conversation after the pairs, 0 to 20.");
  properties["ttl"] = {{"type", "string"},
                       {"enum", Json::array({"5m", "1h"})},
                       {"default", "5m"},
                       {"description", "Lifetime asked for, where the provider takes markers."}};
  Json profiles = Json::array();
  for (const auto& profile : levers::ConciseProfiles()) profiles.push_back(std::string(profile.name));
  properties["concise"] = {
      {"type", "string"},
      {"enum", profiles},
      {"description",
       "Also ask 10 word problems with this instruction for short answers and 10 without it, side by side."}};
  properties["seed"] = {{"type", "integer"},
                        {"minimum", 0},
                        {"maximum", 2147483647},
                        {"description",
                         "Seed of texts and order; without it a new one, since a repeated seed meets what an "
                         "earlier run left in the provider's cache."}};
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json CliProperties() {
  Json out = SpendCliProperties();
  const Json managed = ManagedCliProperties();
  out["server"] = managed["server"];
  out["model_file"] = managed["model"];  // `model` is the model's id here
  out["out"] = managed["out"];
  return out;
}

Json OutputSchema() {
  const Json object = {{"type", Json::array({"object", "null"})}};
  Json properties = {
      {"verdict", {{"type", "string"}, {"enum", Json::array({"PASS", "FAIL", "INCONCLUSIVE", "SKIP"})}}}};
  for (const char* name : {"skip_code", "skip_reason", "would_run_if", "label", "route", "model",
                           "report_path", "report_sha256"})
    properties[name] = {{"type", "string"}};
  for (const char* name : {"cold", "warm", "ttft_difference_ms", "decode", "cost", "cache_verdict",
                           "turn_verdict", "router", "concise"})
    properties[name] = object;
  return {{"type", "object"}, {"properties", properties}, {"required", Json::array({"verdict"})}};
}

// A seed of its own for every run: an equal one would send prompts that the provider may still hold, and the
// cold arm would not be cold.
std::uint64_t SeedOf(const Json& arguments) {
  if (auto seed = IntAt(arguments, "seed")) return static_cast<std::uint64_t>(*seed);
  return std::random_device{}() & 0x7fffffffU;
}

tracks::TrackBRequest ReadRequest(const Json& arguments, const Settings& settings) {
  tracks::TrackBRequest request;
  request.target.endpoint = StringAt(arguments, "endpoint");
  request.target.provider = StringAt(arguments, "provider");
  request.target.protocol = StringAt(arguments, "protocol");
  request.target.model = StringAt(arguments, "model");
  auto& options = request.options;
  options.pairs = static_cast<int>(IntAt(arguments, "pairs").value_or(options.pairs));
  options.prefix_tokens = static_cast<int>(IntAt(arguments, "prefix_tokens").value_or(options.prefix_tokens));
  options.output_tokens = static_cast<int>(IntAt(arguments, "output_tokens").value_or(options.output_tokens));
  options.turns = static_cast<int>(IntAt(arguments, "turns").value_or(options.turns));
  options.seed = SeedOf(arguments);
  options.concise = StringAt(arguments, "concise").value_or("");
  options.ttl = StringAt(arguments, "ttl") == "1h" ? "1h" : "";
  request.managed = BoolAt(arguments, "managed").value_or(false);
  if (!settings.from_agent) request.out = StringAt(arguments, "out").value_or("");
  return request;
}

Result<Json> Handle(const Json& arguments, const Settings& settings, const RunContext& context) {
  const EnvReader env = ProcessEnvironment();
  auto request = ReadRequest(arguments, settings);
  auto spend = ReadSpendSwitch(arguments, settings, env);
  if (!spend) return tl::make_unexpected(spend.error());
  request.spend = std::move(*spend);
  if (request.options.pairs < kFewestPairs) {
    return Fail(ErrorCode::kInvalidArgument, "pairs must be 10 or more",
                "fewer pairs give no interval worth stating");
  }
  Settings chosen = settings;
  if (settings.from_agent) return tracks::RunTrackB(request, chosen, env, context);
  if (auto server = StringAt(arguments, "server")) chosen.llama_server = server;
  if (auto model = StringAt(arguments, "model_file")) chosen.model_file = model;
  return tracks::RunTrackB(request, chosen, env, context);
}

}  // namespace

Tool BenchTrackBTool() {
  Tool tool;
  tool.name = "bench_track_b";
  tool.subcommand = "bench-track-b";
  tool.title = "Measure hosted prompt caching";
  tool.description =
      "Use this to measure what prompt caching of a hosted API (or of a local server's /v1/messages) saves: "
      "tokens read "
      "per call, cost with and without the cache, and time to first token, cold against warm. Without a key "
      "it answers "
      "SKIP; calls that cost money are made only when the user has allowed them.";
  tool.input_schema = InputSchema();
  tool.output_schema = OutputSchema();
  tool.cli_properties = CliProperties();
  tool.annotations = {false, false, false, true};
  tool.duration = ToolDuration::kLong;
  tool.handler = Handle;
  return tool;
}

}  // namespace helix::mcp
