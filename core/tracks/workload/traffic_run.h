// Generated traffic on a server: for every request what should be reused and what is reported.
#pragma once
#include "core/experiment/traffic.h"
#include "core/tracks/workload/session.h"

namespace helix::tracks {

// {"verdict", "reason", "shapes": [{"name", "shows", "requests": [...], "matching", ...}]}: PASS when every
// request is a MATCH, FAIL when one contradicts its prediction, INCONCLUSIVE when one cannot be told.
Result<Json> RunTraffic(PredictedServer& server, const std::vector<std::string>& names, std::uint64_t seed,
                        const RunContext& context);

}  // namespace helix::tracks
