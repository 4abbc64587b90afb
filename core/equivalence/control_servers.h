// Second llama-servers of our own for the control arm of the equivalence check: the same program, model and
// flags, another micro-batch.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "core/backend/llama_server.h"
#include "core/backend/managed_llama_server.h"

namespace helix::equivalence {

// One server runs at a time; asking for another micro-batch stops it and starts the next. Not thread-safe.
class ControlServers {
 public:
  explicit ControlServers(backend::ManagedServerOptions options) : options_(std::move(options)) {}

  // Borrowed until the next call. kUnavailable when the server's log shows another micro-batch than asked
  // for.
  Result<backend::Backend*> WithUbatch(std::int64_t ubatch, const RunContext& context);

 private:
  backend::ManagedServerOptions options_;
  std::int64_t ubatch_ = 0;
  std::optional<backend::ManagedLlamaServer> server_;
  std::unique_ptr<backend::LlamaServer> client_;  // closed before its server stops
};

}  // namespace helix::equivalence
