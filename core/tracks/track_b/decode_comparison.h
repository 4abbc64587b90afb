// Decode rates of the two arms side by side. The cache holds the prompt: a difference here is noise or a
// finding, never a gain.
#pragma once
#include <vector>

#include "core/base/json.h"
#include "core/tracks/track_b/track_b_run.h"

namespace helix::tracks {

// {cold_tokens_per_s_p50, warm_tokens_per_s_p50, statement}; rates are null below 32 output tokens.
Json DecodeComparison(const std::vector<const TrackBCall*>& cold, const std::vector<const TrackBCall*>& warm);

}  // namespace helix::tracks
