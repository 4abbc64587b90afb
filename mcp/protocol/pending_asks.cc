#include "mcp/protocol/pending_asks.h"

#include <chrono>
#include <random>

#include "core/base/json_fields.h"

namespace helix::mcp {
namespace {

constexpr std::chrono::seconds kPatience{60};

}  // namespace

std::string PendingAsks::Open() {
  std::random_device random;
  std::string id = "helix-" + std::to_string(random()) + "-" + std::to_string(random());
  const std::lock_guard lock(mutex_);
  waiting_.emplace(id, std::nullopt);
  return id;
}

RpcResult<Json> PendingAsks::Wait(const std::string& id, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, kPatience, [&] { return waiting_[id].has_value(); });
  const auto response = std::move(waiting_[id]);
  waiting_.erase(id);
  if (!response)
    return tl::make_unexpected(RpcError{kInternalError, "the client did not answer our request", nullptr});
  if (const Json* result = Find(*response, "result")) return *result;
  return tl::make_unexpected(RpcError{
      kInternalError,
      "the client refused our request: " + StringAt(*response, "error/message").value_or("no reason given"),
      nullptr});
}

void PendingAsks::Answer(const std::string& id, Json response) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(id);
    if (found == waiting_.end() || found->second) return;
    found->second = std::move(response);
  }
  changed_.notify_all();
}

}  // namespace helix::mcp
