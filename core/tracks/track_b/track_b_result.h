// From the calls of a run to its result: a pure function of what was recorded.
#pragma once
#include "core/base/json.h"
#include "core/tracks/track_b/track_b_run.h"
#include "core/tracks/track_b/track_b_target.h"

namespace helix::tracks {

// Fields: verdict, label, route, model, pairs, seed, cold and warm {n, failed, failures, ttft_ms_p50,
// read_share of the prompt, cached_max; warm: prefix_share_min}, ttft_difference_ms, decode (side by side,
// never a speed-up), cost, turns (read share each), cache_verdict, turn_verdict, router, concise, findings.
// FAIL: the cold arm was not cold, or the warm arm never read. PASS: every warm call read at least 90 % of
// the prefix and the TTFT difference's interval lies above zero. INCONCLUSIVE otherwise, with the reasons.
Json TrackBResult(const TrackBRun& run, const TrackBOptions& options, const TrackBTarget& target);

}  // namespace helix::tracks
