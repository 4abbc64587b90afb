// Counters that cannot be true, whoever sent them. A gateway's numbers are claims until they fit the bytes.
#pragma once
#include "core/base/json.h"
#include "core/tracks/track_b/track_b_run.h"

namespace helix::tracks {

// [{"code","reason"}], each code once with its first call:
//   usage_exceeds_request   more prompt tokens than the request has bytes (a token is at least one byte)
//   output_exceeds_limit    more output tokens than twice the limit that was asked for
//   invalid_counter         a counter that is no whole number from 0 to 2^53
//   cached_gt_prompt        more tokens read than the prompt has
//   usage_all_zero          no prompt tokens at all in a reply that has content
Json UsageDoubts(const TrackBRun& run);

}  // namespace helix::tracks
