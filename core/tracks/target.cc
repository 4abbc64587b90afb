#include "core/tracks/target.h"

#include <filesystem>

#include "core/backend/capability_probe.h"
#include "core/backend/configured_server.h"
#include "core/backend/find_engine.h"
#include "core/backend/llama_server.h"
#include "core/backend/managed_engine.h"
#include "core/backend/managed_llama_server.h"
#include "core/base/json_fields.h"
#include "core/net/endpoint_policy.h"
#include "core/net/silence_limit.h"
#include "core/tracks/file_digest.h"

namespace helix::tracks {
namespace {

using TargetOrSkip = std::variant<Target, Skip>;

class ManagedLifetime : public ServerLifetime {
 public:
  explicit ManagedLifetime(backend::ManagedLlamaServer server) : server_(std::move(server)) {}

 private:
  backend::ManagedLlamaServer server_;
};

// Why no llama-server could be talked to, as a Skip; nullopt for what is the caller's error or a
// cancellation.
std::optional<Skip> SkipFor(const Error& error) {
  switch (error.code) {
    case ErrorCode::kTimeout:  // of our own choice: no flag raises it
      return MakeSkip("server_unreachable", error.message,
                      "a llama-server answers there; what listens now is silent");
    case ErrorCode::kUnavailable:
      return MakeSkip("server_unreachable", error.message,
                      error.hint.empty() ? "a llama-server answers there" : error.hint);
    case ErrorCode::kProtocol:
    case ErrorCode::kParse:
      return MakeSkip("target_not_llama_server", error.message,
                      "the endpoint is a llama-server of llama.cpp itself, not a gateway before it; "
                      "--managed starts one");
    case ErrorCode::kRefused:
      return MakeSkip("credentials_absent", error.message, error.hint);
    default:
      return std::nullopt;
  }
}

Result<TargetOrSkip> Identified(Target target, const RunContext& context) {
  auto identity = target.backend->Identify(context);
  if (!identity) {
    if (auto skip = SkipFor(identity.error())) return TargetOrSkip(std::move(*skip));
    return tl::make_unexpected(std::move(identity.error()));
  }
  target.identity = std::move(*identity);
  if (BoolAt(target.identity.facts, "speculative").value_or(false)) {
    target.notices.push_back(
        "The server decodes speculatively: its decode times depend on how well it guesses.");
  }
  return TargetOrSkip(std::move(target));
}

// vLLM and SGLang take token ids, so they can be measured as a llama-server is; a known-warm pair shows first
// what they report. nullopt for everything else that answers.
Result<std::optional<Target>> OpenEngine(const std::string& base_url, Millis silence_limit,
                                         const Settings& settings, const RunContext& context) {
  auto found = backend::FindEngine({base_url, settings.api_key, "", silence_limit}, context);
  if (!found || !found->backend->capabilities().token_ids_in) return std::nullopt;
  constexpr int kBlocks = 4;
  if (auto pair = backend::ProbeWarmPair(*found->backend, kBlocks, context); !pair)
    return tl::make_unexpected(std::move(pair.error()));
  Target target;
  target.identity = std::move(found->identity);
  target.backend = std::move(found->backend);
  target.notices.push_back(
      "The adapter of this kind of server was tested against fakes only (docs/servers.md).");
  return std::optional<Target>(std::move(target));
}

Result<TargetOrSkip> OpenEndpoint(const TargetRequest& request, const Settings& settings,
                                  const RunContext& context) {
  bool stripped = false;
  const std::string url = StripV1(request.endpoint.value_or(settings.endpoint), &stripped);
  const auto endpoint = net::CheckEndpoint(url, settings);
  if (!endpoint) {
    if (endpoint.error().code != ErrorCode::kRefused) return tl::make_unexpected(endpoint.error());
    return TargetOrSkip(MakeSkip("endpoint_not_allowed", endpoint.error().message, endpoint.error().hint));
  }
  Target target;
  target.backend = std::make_unique<backend::LlamaServer>(
      backend::LlamaServerOptions{endpoint->BaseUrl(), settings.api_key, "", request.silence_limit});
  if (stripped)
    target.notices.push_back("One trailing /v1 was dropped from the endpoint: " + endpoint->BaseUrl() +
                             " was measured.");
  auto opened = Identified(std::move(target), context);
  const Skip* skip = opened ? std::get_if<Skip>(&*opened) : nullptr;
  if (skip == nullptr || skip->reason.rfind("target_not_llama_server", 0) != 0) return opened;
  auto engine = OpenEngine(endpoint->BaseUrl(), request.silence_limit, settings, context);
  if (!engine) return tl::make_unexpected(std::move(engine.error()));
  return *engine ? TargetOrSkip(std::move(**engine)) : std::move(opened);
}

Json FlagList(const backend::ManagedLlamaServer& server) {
  return {{"argv", server.flags()}, {"left_out", server.flags_left_out()}};
}

Result<TargetOrSkip> OpenManaged(const TargetRequest& request, Settings settings, const RunContext& context) {
  if (request.server) settings.llama_server = request.server;
  if (request.model_file) settings.model_file = request.model_file;
  const EnvReader env = ProcessEnvironment();
  auto options = backend::ConfiguredServer(settings, env);
  if (!options) return TargetOrSkip(std::move(options.error()));
  options->flags.context = request.context_tokens;
  options->flags.log_startup = request.log_startup;
  auto server = backend::ManagedLlamaServer::Start(*options, context);
  if (!server) return tl::make_unexpected(std::move(server.error()));
  Target target;
  target.flags = FlagList(*server);
  target.startup = server->startup();
  target.weights_sha256 = FileSha256(options->model).value_or("");
  target.backend = std::make_unique<backend::LlamaServer>(backend::LlamaServerOptions{
      server->base_url(), std::nullopt, server->boot_id(), request.silence_limit});
  const bool synthetic = server->synthetic_weights();
  target.lifetime = std::make_unique<ManagedLifetime>(std::move(*server));
  auto opened = Identified(std::move(target), context);
  if (opened && synthetic) {
    if (Target* ready = std::get_if<Target>(&*opened)) ready->identity.synthetic_weights = true;
  }
  return opened;
}

class EngineLifetime : public ServerLifetime {
 public:
  explicit EngineLifetime(backend::ManagedEngine engine) : engine_(std::move(engine)) {}

 private:
  backend::ManagedEngine engine_;
};

// vLLM or SGLang by its recipe. Its log stands in the report folder.
Result<TargetOrSkip> OpenManagedEngine(const TargetRequest& request, const Settings& settings,
                                       const RunContext& context) {
  backend::EngineLaunch launch;
  launch.program = request.server.value_or("");
  launch.model = request.model_file.value_or(settings.model_file.value_or(""));
  launch.context = request.context_tokens;
  if (launch.program.empty())
    return TargetOrSkip(MakeSkip("server_binary_missing",
                                 "no program was named to start " + request.engine + " with",
                                 "--server with the full path of vllm, or of the python that has sglang"));
  if (launch.model.empty())
    return TargetOrSkip(MakeSkip("model_missing", "no model was named", "--model, or HELIX_MODEL"));
  std::error_code ignored;
  std::filesystem::create_directories(settings.report_dir, ignored);
  auto engine = backend::ManagedEngine::Start(request.engine, launch,
                                              settings.report_dir + "/" + request.engine + ".log",
                                              ProcessEnvironment(), context);
  if (!engine) return tl::make_unexpected(std::move(engine.error()));
  Target target;
  target.flags = {{"argv", engine->recipe().argv}, {"left_out", Json::array()}};
  target.backend =
      backend::MakeEngine(request.engine, {engine->base_url(), std::nullopt, "", request.silence_limit});
  target.lifetime = std::make_unique<EngineLifetime>(std::move(*engine));
  auto identity = target.backend->Identify(context);
  if (!identity) return tl::make_unexpected(std::move(identity.error()));
  target.identity = std::move(*identity);
  constexpr int kBlocks = 4;
  if (auto pair = backend::ProbeWarmPair(*target.backend, kBlocks, context); !pair)
    return tl::make_unexpected(std::move(pair.error()));
  target.notices.push_back(
      "The adapter of this kind of server was tested against fakes only (docs/servers.md).");
  return TargetOrSkip(std::move(target));
}

}  // namespace

Result<TargetOrSkip> OpenTarget(const TargetRequest& asked, const Settings& settings,
                                const RunContext& context) {
  TargetRequest request = asked;
  auto limit = net::SilenceLimit(ProcessEnvironment(), asked.silence_limit);
  if (!limit) return tl::make_unexpected(std::move(limit.error()));
  request.silence_limit = *limit;
  if (request.managed && request.endpoint) {
    return Fail(ErrorCode::kInvalidArgument, "expected an endpoint or managed, got both",
                "managed starts a server of its own: leave the endpoint out");
  }
  if (request.managed && request.engine != "llama-server")
    return OpenManagedEngine(request, settings, context);
  return request.managed ? OpenManaged(request, settings, context) : OpenEndpoint(request, settings, context);
}

}  // namespace helix::tracks
