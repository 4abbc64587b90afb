// Asks a backend that does not repeat itself: each prompt several times cached and uncached, interleaved.
#pragma once
#include "core/equivalence/agreement.h"
#include "core/equivalence/arm_runner.h"

namespace helix::equivalence {

struct StatisticalPlan {
  int prompts = 25;
  int repeats = 4;
  int output_tokens = 32;
  std::int64_t length = 96;
};

// Agreement over token positions; where there are no token ids, over the bytes of the texts. Repeats of both
// arms alternate, so that a drift of the server meets both alike.
Result<AgreementResult> RunStatistical(ArmRunner& runner, PromptSource& source, const StatisticalPlan& plan,
                                       std::uint64_t seed);

std::int64_t TokensNeeded(const StatisticalPlan& plan);

}  // namespace helix::equivalence
