// Backends that do not repeat themselves: is a cached answer as like an uncached one as two uncached ones are
// like each other? Nothing here can show that answers are the same, only that no difference was found, and
// how large a difference would have been.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/json.h"
#include "core/base/result.h"

namespace helix::equivalence {

using Outcome = std::vector<backend::TokenId>;

// How alike two outcomes are, 0 to 1.
enum class AgreementMeasure {
  kWhole,      // 1 when equal, else 0
  kPositions,  // share of the first 64 positions that hold the same token
  kEdits,      // of the first 256 entries: 1 - Levenshtein distance / the longer one's length
};
double Agreement(const Outcome& a, const Outcome& b, AgreementMeasure measure);

// Repeats of one prompt, as many in each arm, 2 to 9.
struct PromptRepeats {
  std::vector<Outcome> uncached;
  std::vector<Outcome> cached;
};

struct AgreementResult {
  std::size_t prompts = 0;
  std::size_t repeats = 0;   // per arm and prompt
  double uncached_self = 0;  // a_UU: mean agreement between uncached answers of one prompt
  double cached_self = 0;    // a_CC
  double cross = 0;          // a_UC
  double statistic = 0;      // T: mean over prompts of agreement within arms minus across
  double p_value = 1;        // of T, arm labels permuted within each prompt
  std::uint64_t relabelings = 0;
  bool exact = false;         // every relabeling was counted; else a random sample of them
  double margin = 0.05;       // non-inferiority: a_UC >= a_UU - margin
  double difference_low = 0;  // 95 % lower bound of a_UC - a_UU, bootstrap over prompts
  bool non_inferior = false;  // difference_low > -margin
  double detectable = 0;  // smallest difference found with 80 % power at 5 %, from the spread over prompts
  bool large_enough = false;  // 25 prompts of 4 repeats or more
};

// kInvalidArgument when there is no prompt, or a prompt has fewer than two repeats or not the same number per
// arm. The permutation test is exact up to 20,000 relabelings, else 10,000 drawn with `seed`.
Result<AgreementResult> TestAgreement(const std::vector<PromptRepeats>& prompts, AgreementMeasure measure,
                                      std::uint64_t seed = 1);

// "no difference detected, self-agreement 0.83, cross-agreement 0.82, detectable difference 0.06".
std::string AgreementSentence(const AgreementResult& result);
Json ToJson(const AgreementResult& result);

}  // namespace helix::equivalence
