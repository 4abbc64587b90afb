#include "core/tracks/track_b/cost_result.h"

#include <algorithm>

namespace helix::tracks {
namespace {

struct Sum {
  cost::Money total;
  cost::Cost::Kind kind = cost::Cost::Kind::kExact;

  void Add(const std::optional<cost::Cost>& cost) {
    if (!cost || cost->kind == cost::Cost::Kind::kUnknown) {
      kind = cost::Cost::Kind::kUnknown;
      return;
    }
    kind = std::max(kind, cost->kind);
    total += cost->total;
  }
  [[nodiscard]] Json Usd() const {
    return kind == cost::Cost::Kind::kUnknown ? Json() : Json(cost::ToText(total));
  }
};

}  // namespace

Json CostResult(const TrackBRun& run, const TrackBTarget& target) {
  if (target.free) return {{"kind", "free"}, {"usd", nullptr}, {"usd_without_cache", nullptr}};
  Sum cached;
  Sum uncached;
  Sum cold;
  Sum tasks;
  for (const auto& call : run.calls) {
    const auto arm = call.planned.arm;
    if (arm == PlannedCall::Arm::kCold) {
      cold.Add(call.cost);
      continue;
    }
    if (arm == PlannedCall::Arm::kHoldOut || arm == PlannedCall::Arm::kConcise) {
      tasks.Add(call.cost);
      continue;
    }
    cached.Add(call.cost);
    uncached.Add(call.cost_without_cache);
  }
  Json out = {{"kind", cost::CostKindName(std::max(cached.kind, uncached.kind))}};
  out["usd"] = cached.Usd();
  out["usd_without_cache"] = uncached.Usd();
  out["usd_of_cold_calls"] = cold.Usd();
  out["usd_of_concise_tasks"] = tasks.Usd();
  bool known = cached.kind != cost::Cost::Kind::kUnknown && uncached.kind != cost::Cost::Kind::kUnknown;
  out["usd_saved"] = known ? Json(cost::ToText(uncached.total - cached.total)) : Json();
  return out;
}

}  // namespace helix::tracks
