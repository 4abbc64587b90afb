// A timed call has no log-probabilities: that its answer differs from the fresh one says nothing of why. The
// prompts whose answers parted are asked once more, off the clock, with everything the oracle needs.
#pragma once
#include <vector>

#include "core/equivalence/arm_runner.h"
#include "core/equivalence/classifier.h"
#include "core/experiment/runner.h"

namespace helix::tracks {

struct FollowUp {
  int pair = 0;
  equivalence::Finding finding;         // kAmbiguous with rule "not_reproduced" when the arms agree this time
  std::optional<double> control_noise;  // D_GF of this prompt, nat
  std::vector<std::string> evidence;    // digests of the requests and responses
};

// At most three pairs: each costs six calls. Of a private workload neither bytes nor tokens are kept. A
// server that fails on the way gives the follow-ups made so far: the timed samples stand without them.
// Errors: kCancelled, and what `keep` returned.
Result<std::vector<FollowUp>> FollowUpDivergences(backend::Backend& backend,
                                                  const experiment::Workload& workload,
                                                  const std::vector<experiment::Sample>& samples,
                                                  const equivalence::EvidenceSink& keep,
                                                  const RunContext& context);

Json ToJson(const FollowUp& follow_up);

}  // namespace helix::tracks
