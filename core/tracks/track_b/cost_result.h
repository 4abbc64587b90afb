// What the run's calls cost, and what the same calls had cost without a cache.
#pragma once
#include "core/base/json.h"
#include "core/tracks/track_b/track_b_run.h"
#include "core/tracks/track_b/track_b_target.h"

namespace helix::tracks {

// {"kind": "free" | "exact" | "lower_bound" | "unknown", "usd", "usd_without_cache", "break_even_5m", ...}.
// The cached side holds the call that wrote the prefix, the warm calls and the turns; cold calls stand apart.
Json CostResult(const TrackBRun& run, const TrackBTarget& target);

}  // namespace helix::tracks
