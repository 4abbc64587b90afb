// Instruction profiles that ask for shorter answers, and what they really changed. Saved output is
// counterfactual: without a hold-out arm of the same prompts there is nothing to compare with.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace helix::levers {

struct ConciseProfile {
  std::string_view name;
  std::string_view instruction;  // constant bytes, at the end of the static system prompt, before the marker
  std::string_view origin;
};
const std::vector<ConciseProfile>& ConciseProfiles();
const ConciseProfile* FindConciseProfile(std::string_view name);

// One answered prompt of an arm.
struct Answer {
  std::int64_t output_tokens = 0;  // the provider's usage
  std::string finish;              // "length" and "max_tokens" are failures: a cut is not conciseness
  bool correct = false;            // by the prompt's own check
};

// `plain[i]` and `concise[i]` answered the same prompt. Output tokens, stop reasons and correct answers side
// by side; "saving_counts" is false, "why" says it and no share is given, when the concise arm lost an answer
// or was cut more often, or when the hold-out arm has no right answer at all.
std::optional<Json> CompareAnswers(const std::vector<Answer>& plain, const std::vector<Answer>& concise);

}  // namespace helix::levers
