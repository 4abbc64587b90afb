#include "mcp/tools/probe_backend_tool.h"

#include "core/base/json_fields.h"
#include "core/consistency/backend_probe.h"
#include "core/net/endpoint_policy.h"

namespace helix::mcp {
namespace {

Result<Json> Run(const Json& arguments, const Settings& settings, const RunContext& context) {
  auto endpoint = net::CheckEndpoint(StringAt(arguments, "endpoint").value_or(settings.endpoint), settings);
  if (!endpoint) return tl::make_unexpected(endpoint.error());
  consistency::ProbeOptions options;
  options.base_url = endpoint->BaseUrl();
  options.api_key = settings.api_key.value_or("");
  options.model = StringAt(arguments, "model").value_or("");
  options.seed = static_cast<std::uint64_t>(IntAt(arguments, "seed").value_or(1));
  options.isolation = BoolAt(arguments, "isolation").value_or(false);
  const auto variable = settings.from_agent ? std::nullopt : StringAt(arguments, "other_key_env");
  if (variable) {
    const auto key = ProcessEnvironment()(*variable);
    if (!key)
      return Fail(ErrorCode::kInvalidArgument, "the environment variable " + *variable + " is not set",
                  "put the second key into it");
    options.other_key = *key;
  }
  return consistency::ProbeBackend(options, context);
}

}  // namespace

Tool ProbeBackendTool() {
  Tool tool;
  tool.name = "probe_backend";
  tool.subcommand = "probe-backend";
  tool.title = "What can this model server do";
  tool.description =
      "Use before measuring a server: says what it is, whether it reports reused tokens (proven with a "
      "repeated prompt), "
      "whether the server's own totals agree, in which steps it reuses, and how a cold request can be made. "
      "Sends a few small requests, which evict a slot.";
  Json properties{
      {"endpoint",
       Json{{"type", "string"}, {"description", "URL of the server; default: the configured one."}}},
      {"model",
       Json{{"type", "string"}, {"description", "Model to ask; default: the first that the server names."}}},
      {"isolation",
       Json{{"type", "boolean"},
            {"default", false},
            {"description", "Also show whether a hit crosses cache salts, with random prompts."}}},
      {"seed", Json{{"type", "integer"},
                    {"minimum", 0},
                    {"default", 1},
                    {"description", "Seed of the prompt's words."}}}};
  tool.input_schema = Json{{"type", "object"}, {"properties", std::move(properties)}};
  tool.output_schema = Json{{"type", "object"},
                            {"properties", {{"verdict", {{"type", "string"}}}}},
                            {"required", Json::array({"verdict"})}};
  tool.cli_properties = {
      {"other_key_env", Json{{"type", "string"},
                             {"description",
                              "With --isolation: environment variable that holds a second API key of "
                              "the same server; hits across keys are shown too."}}}};
  tool.handler = &Run;
  return tool;
}

}  // namespace helix::mcp
