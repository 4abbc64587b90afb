#include "core/tracks/track_b/track_b_target.h"

#include "core/base/json_fields.h"
#include "core/net/endpoint_policy.h"
#include "core/tracks/track_b/local_server.h"

namespace helix::tracks {
namespace {

using Found = Result<std::variant<TrackBTarget, Skip>>;

std::string KeyNames() {
  std::string names;
  for (const auto& profile : backend::ProviderProfiles()) {
    for (auto name : profile.key_envs) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

Skip NoCredentials(const std::string& detail) {
  return MakeSkip("credentials_absent", detail,
                  "set the provider's key in the environment (one of " + KeyNames() +
                      "), or name a llama-server with --endpoint");
}

// Anthropic's variable names the address without /v1.
Result<backend::BaseUrl> BaseFor(const backend::ProviderProfile& profile, const EnvReader& env) {
  auto named = profile.base_url_env.empty() ? std::nullopt : env(std::string(profile.base_url_env));
  auto base = backend::SplitBaseUrl(named ? std::string_view(*named) : profile.base_url);
  if (base && named && !base->path.ends_with("/v1")) base->path += "/v1";
  return base;
}

Found FromProfile(const backend::ProviderProfile& profile, const TrackBTargetRequest& request,
                  const EnvReader& env) {
  TrackBTarget target;
  target.profile = &profile;
  target.client.credentials = backend::CredentialsFor(profile, env);
  if (!target.client.credentials.present()) return NoCredentials("no key for " + std::string(profile.name));
  auto base = BaseFor(profile, env);
  if (!base) return tl::make_unexpected(base.error());
  target.client.base = *base;
  target.client.protocol = profile.protocol;
  target.client.provider = std::string(profile.name);
  target.client.takes_markers = profile.takes_markers;
  auto from_env = profile.name == "anthropic" ? env("ANTHROPIC_MODEL") : std::nullopt;
  target.model = request.model.value_or(from_env.value_or(std::string(profile.default_model)));
  if (target.model.empty())
    return Fail(ErrorCode::kInvalidArgument, "this provider has no default model", "give --model");
  target.label = std::string(profile.name);
  target.route = "direct";
  return target;
}

std::string RouteName(backend::Answerer answerer, backend::Protocol protocol) {
  if (!backend::IsRouter(answerer)) return "direct";
  return std::string(backend::AnswererName(answerer)) +
         (protocol == backend::Protocol::kAnthropicMessages ? "-anthropic" : "-openai");
}

Status CheckAllowed(const backend::BaseUrl& base, const Settings& settings) {
  auto checked = net::CheckEndpoint(base.origin, settings);
  if (!checked) return tl::make_unexpected(checked.error());
  return {};
}

// claude-code-router 3.x hands raw usage on at its chat endpoint alone; 2.x has no such endpoint.
std::string DefaultProtocol(const TrackBTarget& target) {
  if (target.answerer == backend::Answerer::kCcr3) return "openai";
  if (backend::IsRouter(target.answerer)) return "anthropic";
  const bool chat = target.profile != nullptr && target.profile->protocol == backend::Protocol::kOpenAiChat;
  return chat ? "openai" : "anthropic";
}

Found FromEndpoint(const TrackBTargetRequest& request, const Settings& settings, const EnvReader& env,
                   const RunContext& context) {
  TrackBTarget target;
  auto base = backend::SplitBaseUrl(*request.endpoint);
  if (!base) return tl::make_unexpected(base.error());
  if (auto allowed = CheckAllowed(*base, settings); !allowed) {
    if (allowed.error().code != ErrorCode::kRefused) return tl::make_unexpected(allowed.error());
    return MakeSkip("endpoint_not_allowed", allowed.error().message, "add it to HELIX_ALLOWED_ENDPOINTS");
  }
  if (!base->path.ends_with("/v1")) base->path += "/v1";
  target.client.base = *base;
  target.profile = request.provider ? backend::FindProfile(*request.provider) : nullptr;
  target.answerer = backend::IdentifyAnswerer(base->origin, context);
  const std::string protocol = request.protocol.value_or(DefaultProtocol(target));
  target.client.protocol =
      protocol == "openai" ? backend::Protocol::kOpenAiChat : backend::Protocol::kAnthropicMessages;
  target.client.takes_markers = target.client.protocol == backend::Protocol::kAnthropicMessages;
  target.route = RouteName(target.answerer, target.client.protocol);
  if (target.answerer == backend::Answerer::kLlamaServer)
    return AdoptLlamaServer(std::move(target), request.model, settings, context);
  if (target.profile != nullptr && !settings.from_agent)
    target.client.credentials = backend::CredentialsFor(*target.profile, env);
  target.client.provider = target.profile != nullptr ? std::string(target.profile->name) : "";
  if (!request.model)
    return Fail(ErrorCode::kInvalidArgument, "this endpoint needs a model's name", "give --model");
  target.model = *request.model;
  target.label = protocol + "-compatible (" + backend::AnswererName(target.answerer) + ")";
  return target;
}

}  // namespace

Found FindTrackBTarget(const TrackBTargetRequest& request, const Settings& settings, const EnvReader& env,
                       const RunContext& context) {
  if (request.provider && backend::FindProfile(*request.provider) == nullptr) {
    std::string names;
    for (const auto& profile : backend::ProviderProfiles())
      names += (names.empty() ? "" : ", ") + std::string(profile.name);
    return Fail(ErrorCode::kInvalidArgument, "unknown provider \"" + *request.provider + "\"",
                "one of: " + names);
  }
  if (request.endpoint) return FromEndpoint(request, settings, env, context);
  const auto* profile =
      request.provider ? backend::FindProfile(*request.provider) : backend::ConfiguredProfile(env);
  if (profile == nullptr) return NoCredentials("no provider's key is set");
  return FromProfile(*profile, request, env);
}

}  // namespace helix::tracks
