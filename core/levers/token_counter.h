// Counting tokens without a model. Only a provider's usage counts for real; this decides whether a rewrite is
// worth keeping, and whatever it counts is labelled an estimate.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>

namespace helix::levers {

using TokenCounter = std::function<std::int64_t(std::string_view)>;

// Estimate after the pre-tokenisation of GPT-style vocabularies: a word with the space before it, up to three
// digits, a run of punctuation, a run of blanks; long words count once per six letters.
std::int64_t EstimateTokens(std::string_view text);

}  // namespace helix::levers
