// A llama-server of our own for a Track B run.
#pragma once
#include <functional>
#include <string>

#include "core/base/json.h"
#include "core/base/run_context.h"
#include "core/base/settings.h"
#include "core/tracks/track_b/track_b_plan.h"

namespace helix::tracks {

// Starts a llama-server of one slot, long enough for the planned prompts of a model whose tokens are bytes,
// calls `run` with its base URL and ends it. A Skip as JSON when program or model is missing.
Result<Json> OnManagedTarget(const TrackBOptions& options, const Settings& settings, const EnvReader& env,
                             const RunContext& context,
                             const std::function<Result<Json>(const std::string& base_url)>& run);

}  // namespace helix::tracks
