// Requests of ours to a client, waiting for its answer (revisions up to 2025-11-25).
#pragma once
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/json.h"
#include "mcp/protocol/catalog.h"

namespace helix::mcp {

// Thread-safe. Ids are hard to guess, since with HTTP an answer can come from any client.
class PendingAsks {
 public:
  // Registers a new request and returns its id.
  std::string Open();
  // The answer, or an error: cancelled, or no answer within 60 s.
  RpcResult<Json> Wait(const std::string& id, std::stop_token stop);
  // An answer came; answers to unknown ids are ignored.
  void Answer(const std::string& id, Json response);

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, std::optional<Json>> waiting_;
};

}  // namespace helix::mcp
