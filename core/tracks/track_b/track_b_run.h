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
  std::string raw_sha256;      // of the reply's stored bytes; empty: not stored
  std::string request_sha256;  // of the request's
};

// Whether the reply's counters can be counters at all: a prompt has tokens, so a total of 0 is a gateway's
// filling for numbers that it lost (claude-code-router 2.x in streams).
bool CountsPrompt(const backend::HostedReply& reply);

struct Spending {
  cost::SpendLedger* ledger = nullptr;
  cost::PriceTable prices;
  std::string route;
};

struct TrackBRun {
  std::vector<TrackBCall> calls;
  std::string stopped;  // empty: all calls were made
  std::int64_t t_plan_ns = 0;
  std::int64_t wall_ns = 0;
};
// `spending` null: the server costs nothing. Stops early when the budget is used up, when the provider
// refuses for good (key, bill, spend cap, request) or when three calls in a row failed: no more is sent or
// paid then. Calls already made are returned with the reason in `stopped`. Failed calls are kept and counted.
// An Error only when the user stopped the run.
Result<TrackBRun> RunCalls(const std::vector<PlannedCall>& plan, const TrackBOptions& options, int settle_ms,
                           backend::HostedClient& client, const Spending* spending,
                           const RunContext& context);

}  // namespace helix::tracks
