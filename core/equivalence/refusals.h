// Comparisons that would hold whatever the cache did. Each is refused with its own code (contract of the
// bluff catalogue, group E); a refused comparison is no evidence, for or against.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/equivalence/classifier.h"

namespace helix::equivalence {

struct RefusalPolicy {
  std::int64_t cold_allow = 0;  // tokens a fresh request may find cached (a BOS, a shared template)
  std::size_t min_tokens = 16;
};

struct Refusal {
  std::string code;
  std::string reason;
};

// tautology_same_response, counter_missing, fresh_was_cached, cached_was_fresh, trivial_prefix_as_hit,
// truncated, prompt_tokens_differ, cached_gt_prompt, counter_identity, empty_output, too_few_tokens,
// logprobs_missing, normalised_text, degenerate_output. Empty: the comparison is one.
std::vector<Refusal> Refusals(const Comparison& comparison, const RefusalPolicy& policy);

// prompt_insensitive: three or more different prompts, one and the same output.
std::vector<Refusal> RefusalsAcross(const std::vector<std::vector<TokenId>>& prompts,
                                    const std::vector<std::vector<TokenId>>& outputs);

Json ToJson(const std::vector<Refusal>& refusals);

}  // namespace helix::equivalence
