// Lossy, opt-in: drops the most frequent words of a prose until a share of the tokens is left. Words that
// carry little information are the frequent ones (Zipf: -log p grows with the logarithm of the rank).
#pragma once
#include <string>
#include <string_view>

#include "core/levers/token_counter.h"

namespace helix::levers {

struct Pruned {
  std::string text;
  std::size_t words_dropped = 0;
};

// Only words of the built-in rank list can go, lowest information first and from the front; what stays keeps
// its bytes. Never dropped: negations, words in quotes or back-ticks, capitalised words, anything in lines
// with digits, errors or code. Stops at `keep_share` (0 to 1) of the counted tokens, or when nothing more may
// go.
Pruned PruneFrequentWords(std::string_view text, double keep_share, const TokenCounter& count);

}  // namespace helix::levers
