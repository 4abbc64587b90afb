// bench_track_a on something else than pairs: generated traffic, the sweep of lengths and overlaps, or the
// user's own recorded agent loop.
#pragma once
#include <string>
#include <vector>

#include "core/tracks/track_a.h"

namespace helix::tracks {

// `workload`: "shapes" (all ten), the name of one of them (experiment/traffic.h), "sweep", or a capture that
// `record` wrote. The result has `workload` and `verdict`; a report (schema helix.workload/1) is on disk
// before this returns. A Skip as in RunTrackA. Errors: the caller's mistakes, a broken capture, kCancelled.
Result<Json> RunWorkload(const TrackAOptions& options, const std::string& workload, const Settings& settings,
                         const RunContext& context);

// The result for a terminal.
std::string WorkloadText(const Json& result);

}  // namespace helix::tracks
