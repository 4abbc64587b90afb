#include "core/backend/configured_server.h"

#include "core/backend/server_files.h"

namespace helix::backend {

tl::expected<ManagedServerOptions, Skip> ConfiguredServer(const Settings& settings, const EnvReader& env) {
  auto program = FindLlamaServer(settings, env);
  if (!program) return tl::make_unexpected(std::move(program.error()));
  auto model = FindModel(settings, env);
  if (!model) return tl::make_unexpected(std::move(model.error()));
  ManagedServerOptions options;
  options.program = std::move(*program);
  options.model = std::move(*model);
  options.flags.extra = settings.llama_args;
  return options;
}

}  // namespace helix::backend
