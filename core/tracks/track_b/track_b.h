// Track B: what a hosted API's prompt cache, or a local server that speaks the same protocol, saves.
#pragma once
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/base/settings.h"
#include "core/tracks/track_b/spend_permission.h"
#include "core/tracks/track_b/track_b_plan.h"
#include "core/tracks/track_b/track_b_target.h"

namespace helix::tracks {

struct TrackBRequest {
  TrackBTargetRequest target;
  TrackBOptions options;
  bool managed = false;  // start a llama-server of our own and measure that
  SpendRequest spend;
  std::string out;  // a second copy of the report; empty: none
};

// The result of track_b_result.h with the catalogue's findings, report_path, report_sha256 and plan_sha256:
// the report lies in settings.report_dir with the bytes of every call. Its verdict is Track B's own, or
// worse where the catalogue found something; report_verdict is the catalogue's. The report's file has the
// same two as /track_b/verdict and /verdict. Without a key, a permission to spend or a known price the result
// is a SKIP that says what would make it run; with a key and no switch it names the most the run could cost,
// and nothing is called.
Result<Json> RunTrackB(const TrackBRequest& request, const Settings& settings, const EnvReader& env,
                       const RunContext& context);

}  // namespace helix::tracks
