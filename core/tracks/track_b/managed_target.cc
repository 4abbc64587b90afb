#include "core/tracks/track_b/managed_target.h"

#include <variant>

#include "core/backend/configured_server.h"
#include "core/backend/managed_llama_server.h"
#include "core/base/skip.h"

namespace helix::tracks {
namespace {

Result<std::variant<backend::ManagedLlamaServer, Skip>> StartManagedTarget(const TrackBOptions& options,
                                                                           const Settings& settings,
                                                                           const EnvReader& env,
                                                                           const RunContext& context) {
  auto server = backend::ConfiguredServer(settings, env);
  if (!server) return server.error();
  // One slot: a server with more gives each call the slot that was used longest ago, and a warm call would
  // meet another prompt there.
  server->flags.slots = 1;
  server->flags.context = options.prefix_tokens + TokensBesidePrefix(options) + 64;
  auto started = backend::ManagedLlamaServer::Start(*server, context);
  if (!started) return tl::make_unexpected(started.error());
  return std::move(*started);
}

}  // namespace

Result<Json> OnManagedTarget(const TrackBOptions& options, const Settings& settings, const EnvReader& env,
                             const RunContext& context,
                             const std::function<Result<Json>(const std::string& base_url)>& run) {
  auto started = StartManagedTarget(options, settings, env, context);
  if (!started) return tl::make_unexpected(started.error());
  if (const auto* skip = std::get_if<Skip>(&*started)) return skip->ToJson();
  return run(std::get<backend::ManagedLlamaServer>(*started).base_url());
}

}  // namespace helix::tracks
