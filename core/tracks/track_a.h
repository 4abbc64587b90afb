// Track A: what a prefix cache buys on a server that one can drive directly, measured with the cache on and
// off.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "core/base/clock.h"
#include "core/experiment/shape.h"
#include "core/tracks/target.h"

namespace helix::tracks {

struct TrackAOptions {
  TargetRequest target;
  std::string profile = "quick";
  experiment::ShapeOverrides overrides;
  std::uint64_t seed = 1;
  std::string out;  // a copy of the report goes here as well; empty: none
};

// The structured result, or that of a SKIP (verdict, skip_code, skip_reason, would_run_if and nothing else).
// The report is on disk before this returns. Errors: the caller's mistakes, kCancelled, and a report folder
// that cannot be written.
Result<Json> RunTrackA(const TrackAOptions& options, const Settings& settings, const RunContext& context);

// The same on a target that is open already; `now` is the clock of a backend that has one of its own.
Result<Json> RunTrackAOn(Target& target, const TrackAOptions& options, const Settings& settings,
                         const RunContext& context, const std::function<std::int64_t()>& now = SteadyNowNs);

}  // namespace helix::tracks
