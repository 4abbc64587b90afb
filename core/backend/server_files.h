// Where the llama-server program and its model come from. A person configures both; an agent chooses neither.
#pragma once
#include <string>

#include "core/base/settings.h"
#include "core/base/skip.h"

namespace helix::backend {

// The path of an executable llama-server: settings.llama_server (then nothing else is tried), `llama-server`
// in PATH, or the one that scripts/get-llama-server unpacked (deps/llama/llama-server beside our build
// folder). A Skip with server_binary_missing when there is none.
tl::expected<std::string, Skip> FindLlamaServer(const Settings& settings, const EnvReader& env);

// The path of a readable GGUF file: settings.model_file, else the demo model with synthetic weights, written
// to the cache folder first. A Skip with model_missing.
tl::expected<std::string, Skip> FindModel(const Settings& settings, const EnvReader& env);

}  // namespace helix::backend
