// The server that a run measures: the user's own at an endpoint, or one that is started for the run.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/llama_startup.h"
#include "core/base/settings.h"
#include "core/base/skip.h"

namespace helix::tracks {

struct TargetRequest {
  bool managed = false;
  std::optional<std::string> endpoint;  // as the caller wrote it; absent: the configured one
  std::optional<std::string> server;    // program of a managed server; absent: configured, then PATH
  std::optional<std::string>
      model_file;                 // GGUF for a managed server; absent: configured, then the demo model
  int context_tokens = 4096;      // of a managed server
  bool log_startup = false;       // a managed server logs what Target::startup holds
  Millis silence_limit{600'000};  // where HELIX_SILENCE_LIMIT_S is not set
  // Of a managed server: or "vllm", "sglang", whose program and model must be named.
  std::string engine = "llama-server";
};

// What is left when the run ends: a managed server stops when this is destroyed.
class ServerLifetime {
 public:
  virtual ~ServerLifetime() = default;
};

struct Target {
  std::unique_ptr<ServerLifetime> lifetime;  // null for a server that is not ours; outlives `backend`
  std::unique_ptr<backend::Backend> backend;
  backend::Identity identity;
  Json flags;                        // of a managed server, by name; null when another hand started it
  backend::LlamaStartup startup;     // of a managed server, from its log
  std::string weights_sha256;        // of a managed server's model file; empty: not known
  std::vector<std::string> notices;  // sentences that a reader needs
};

// Errors are the caller's mistakes (a malformed URL, a missing file that was named) and cancellation;
// everything that keeps the run from being made is a Skip: endpoint_not_allowed, server_unreachable,
// target_not_llama_server, credentials_absent, server_binary_missing, model_missing. An answer that does not
// come within the silence limit is kTimeout from the backend.
Result<std::variant<Target, Skip>> OpenTarget(const TargetRequest& request, const Settings& settings,
                                              const RunContext& context);

}  // namespace helix::tracks
