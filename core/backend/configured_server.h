// The managed server that the user configured: program, model and flags of their own.
#pragma once
#include "core/backend/managed_llama_server.h"
#include "core/base/skip.h"

namespace helix::backend {

// Options for ManagedLlamaServer::Start with program and model found (see server_files.h) and the flags of
// HELIX_LLAMA_ARGS as `flags.extra`. A Skip when program or model is missing.
tl::expected<ManagedServerOptions, Skip> ConfiguredServer(const Settings& settings, const EnvReader& env);

}  // namespace helix::backend
