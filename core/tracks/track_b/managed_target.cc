#include "core/tracks/track_b/managed_target.h"

#include "core/backend/configured_server.h"

namespace helix::tracks {

Result<std::variant<backend::ManagedLlamaServer, Skip>> StartManagedTarget(const TrackBOptions& options,
                                                                           const Settings& settings,
                                                                           const EnvReader& env,
                                                                           const RunContext& context) {
  auto server = backend::ConfiguredServer(settings, env);
  if (!server) return server.error();
  constexpr int kBesidePrefix = 2048;  // questions, turns and template
  server->flags.slots = 2;
  server->flags.context = options.prefix_tokens + options.output_tokens + kBesidePrefix;
  auto started = backend::ManagedLlamaServer::Start(*server, context);
  if (!started) return tl::make_unexpected(started.error());
  return std::move(*started);
}

}  // namespace helix::tracks
