// Asks a backend whose answers cannot be compared one by one: each prompt several times cached and uncached,
// interleaved. Used where fresh differs from fresh, and where the server gives no token ids.
#pragma once
#include <functional>

#include "core/equivalence/agreement.h"
#include "core/equivalence/arm_runner.h"

namespace helix::equivalence {

struct StatisticalPlan {
  int prompts = 25;
  int repeats = 4;
  int output_tokens = 32;
  std::int64_t length = 96;
};

struct StatisticalResult {
  AgreementResult agreement;
  int answers = 0;   // in both arms
  int unproven = 0;  // of those: the counter does not say what the arm is called
};

// Agreement over token positions; where there are no token ids, over the bytes of the texts. Repeats of both
// arms alternate, so that a drift of the server meets both alike. `step` is called before each prompt.
Result<StatisticalResult> RunStatistical(ArmRunner& runner, PromptSource& source, const StatisticalPlan& plan,
                                         std::uint64_t seed, const std::function<void(int)>& step);

std::int64_t TokensNeeded(const StatisticalPlan& plan);

// The agreement's sentence, or why the repeats say nothing: arms that are not what they are called cannot be
// compared.
std::string StatisticalSentence(const StatisticalResult& result);
Json ToJson(const StatisticalResult& result);

}  // namespace helix::equivalence
