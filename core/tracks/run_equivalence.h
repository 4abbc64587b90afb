// Did the cache change the answers of this run? From the timed calls themselves: `on` against `off`, with
// `off_aa` as the fresh answer again and the control call as the answer that must differ.
#pragma once
#include <vector>

#include "core/experiment/runner.h"
#include "core/tracks/divergence_follow_up.h"

namespace helix::tracks {

struct RunEquivalence {
  Json report;  // `equivalence` of helix.report/1
  Json result;  // {class, classes, negative_controls, first_divergence}
};

// Only measured pairs whose calls all finished are compared. A pair that was followed up has the follow-up's
// class: CORRUPTION needs its log-probabilities. A claim of equal tokens is made only when every comparison
// is EXACT and none was refused; the full oracle is check_equivalence.
RunEquivalence EquivalenceOf(const std::vector<experiment::Sample>& samples,
                             const std::vector<FollowUp>& follow_ups = {});

}  // namespace helix::tracks
