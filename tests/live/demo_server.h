// The llama-server that the live tests start: the configured program with the demo model.
#pragma once
#include "core/backend/configured_server.h"

namespace helix::live {

// kNotFound where program or model is missing: a live test fails then, it does not skip.
inline Result<backend::ManagedLlamaServer> StartDemoServer(backend::ManagedServerFlags flags = {}) {
  const EnvReader env = ProcessEnvironment();
  auto options = backend::ConfiguredServer(SettingsFromEnvironment(env), env);
  if (!options) return Fail(ErrorCode::kNotFound, options.error().reason, options.error().would_run_if);
  options->flags = std::move(flags);
  return backend::ManagedLlamaServer::Start(*options, {});
}

}  // namespace helix::live
