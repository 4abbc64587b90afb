// The result of bench_track_a for a terminal: every number with one line on what it means.
#pragma once
#include <string>

#include "core/base/json.h"

namespace helix::tracks {

// `result` is what RunTrackA returned. A SKIP prints its reason and no number.
std::string TrackAText(const Json& result);

}  // namespace helix::tracks
