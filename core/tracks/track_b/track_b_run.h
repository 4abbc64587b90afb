// Makes the planned calls, one after the other, each reserved in the ledger before it is made.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/backend/hosted.h"
#include "core/base/run_context.h"
#include "core/cost/spend_ledger.h"
#include "core/cost/usage_cost.h"
#include "core/tracks/track_b/track_b_plan.h"

namespace helix::tracks {

struct TrackBCall {
  PlannedCall planned;
  backend::HostedReply reply;
  std::optional<cost::Cost> cost;  // absent where the server costs nothing
  std::optional<cost::Cost> cost_without_cache;
};

struct Spending {
  cost::SpendLedger* ledger = nullptr;
  cost::PriceTable prices;
  std::string route;
};

// `spending` null: the server costs nothing. Stops early when the budget is used up (kRefused) or the run is
// stopped; calls already made are returned with the reason in `stopped`. Failed calls are kept and counted.
struct TrackBRun {
  std::vector<TrackBCall> calls;
  std::string stopped;  // empty: all calls were made
};
Result<TrackBRun> RunCalls(const std::vector<PlannedCall>& plan, const TrackBOptions& options, int settle_ms,
                           backend::HostedClient& client, const Spending* spending,
                           const RunContext& context);

}  // namespace helix::tracks
