// A server under a sequence of requests, and what its slots should hold at each moment.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/consistency/prediction.h"
#include "core/tracks/target.h"

namespace helix::tracks {

// Opens the target anew: for a managed server, another process.
using Reopen = std::function<Result<Target>()>;

// One request, what was predicted for it and what the server reports.
struct ObservedCall {
  std::int64_t prompt_tokens = 0;
  consistency::ReusePrediction predicted;
  consistency::ReuseVerdict verdict = consistency::ReuseVerdict::kUnknown;
  backend::GenerateReply reply;
};

// Not thread-safe. One request in flight.
class PredictedServer {
 public:
  // `target` outlives this. Without `reopen` the server cannot be restarted.
  PredictedServer(Target& target, Reopen reopen, const RunContext& context);

  // An unrelated prompt into every slot, past the cache: from now on their content is known.
  Status Wipe();
  // Wipes nothing and reuses nothing of an earlier process. kUnavailable where it is not our server.
  Status Restart();
  [[nodiscard]] bool CanRestart() const { return static_cast<bool>(reopen_); }

  // Sends `request` to slot `session` modulo slots.
  Result<ObservedCall> Send(backend::GenerateRequest request, int session);

  [[nodiscard]] Target& target() { return target_; }

 private:
  [[nodiscard]] consistency::ReusePrediction Predict(const backend::GenerateRequest& request) const;

  Target& target_;
  Reopen reopen_;
  RunContext context_;
  std::vector<consistency::SlotModel> slots_;
  std::vector<std::vector<backend::TokenId>> seen_;  // since the server started
  bool fresh_ = false;                               // nothing was sent since a restart
  std::uint64_t wipes_ = 0;
};

// The members that every row of a report has: prompt, predicted, reported, verdict, times.
Json RowOf(const ObservedCall& call);

}  // namespace helix::tracks
