// Lossy, opt-in: drops the words that a model finds least surprising, by the log-probabilities it gave them
// (Li et al., "Compressing Context to Enhance Inference Efficiency of Large Language Models", EMNLP 2023).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/levers/prune.h"

namespace helix::levers {

struct ScoredPiece {
  std::size_t length = 0;         // in bytes of the text, in order
  std::optional<double> logprob;  // natural logarithm; absent: not scored, its word stays
};

// Words of lower-case letters alone can go, the least surprising first (the sum of -log p over a word's
// pieces). The protections are those of PruneFrequentWords. `pieces` cover the text; the text comes back
// unchanged when they do not. Stops at `keep_share` (0 to 1) of the counted tokens.
Pruned PruneByInformation(std::string_view text, const std::vector<ScoredPiece>& pieces, double keep_share,
                          const TokenCounter& count);

}  // namespace helix::levers
