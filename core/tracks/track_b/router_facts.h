// What is known of the router that answers, and what came back through it in this run.
#pragma once
#include "core/base/json.h"
#include "core/tracks/track_b/track_b_run.h"
#include "core/tracks/track_b/track_b_target.h"

namespace helix::tracks {

// null without a router. {"program", "route", "markers", "usage", "counters_came_back": "n of m",
// "buffered": n, "evidence"}. `markers` and `usage` are what docs/claude-code-router.md measured for this
// program; the rest is counted from the run's own replies.
Json RouterFacts(const TrackBRun& run, const TrackBTarget& target);

}  // namespace helix::tracks
