#include "core/tracks/track_b/managed_target.h"

#include "core/backend/configured_server.h"

namespace helix::tracks {

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

}  // namespace helix::tracks
