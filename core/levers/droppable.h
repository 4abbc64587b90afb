// Words that a lossy mode may leave out, and leaving them out.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/levers/token_counter.h"

namespace helix::levers {

struct DroppableWord {
  std::size_t begin = 0;
  std::size_t end = 0;  // with the blank behind it
  double cost = 0;      // what is lost with it; the cheapest go first
};

// Words between blanks, of letters alone, in lines without digits, quotes, code or errors; never a negation.
// `cost` gives a word's price by its place in the text, or nullopt when it stays. Code has none.
std::vector<DroppableWord> DroppableWords(
    std::string_view text,
    const std::function<std::optional<double>(std::size_t begin, std::string_view word)>& cost);

// The text without the first `n` of `words`, which are in order of cost.
std::string WithoutWords(std::string_view text, const std::vector<DroppableWord>& words, std::size_t n);

// The fewest of the cheapest words whose absence brings the count to `target`; all when none does.
std::size_t FewestToReach(std::string_view text, const std::vector<DroppableWord>& words, double target,
                          const TokenCounter& count);

}  // namespace helix::levers
