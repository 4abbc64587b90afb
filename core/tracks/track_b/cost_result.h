// What the run's calls cost, and what the same calls had cost without a cache.
#pragma once
#include "core/base/json.h"
#include "core/tracks/track_b/track_b_run.h"
#include "core/tracks/track_b/track_b_target.h"

namespace helix::tracks {

// {"kind": "free" | "exact" | "lower_bound" | "unknown", "usd", "usd_without_cache", "usd_saved",
// "usd_of_cold_calls", "usd_of_concise_tasks"}; dollars are exact decimal text, or null. The cached side
// holds the call that wrote the prefix, the warm calls and the turns; cold calls and the concise lever's
// tasks stand apart.
Json CostResult(const TrackBRun& run, const TrackBTarget& target);

}  // namespace helix::tracks
