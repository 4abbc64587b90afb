#include "core/levers/prune.h"

#include <algorithm>
#include <array>

#include "core/levers/droppable.h"

namespace helix::levers {
namespace {

// Fillers first, then function words of written English from the most frequent on.
constexpr std::array<std::string_view, 32> kRanked = {
    "very", "really", "quite", "basically", "actually", "simply", "essentially", "just", "the",  "of",   "a",
    "an",   "that",   "this",  "these",     "those",    "which",  "is",          "are",  "was",  "were", "be",
    "been", "has",    "have",  "had",       "it",       "its",    "there",       "also", "some", "such"};

}  // namespace

Pruned PruneFrequentWords(std::string_view text, double keep_share, const TokenCounter& count) {
  const auto words = DroppableWords(text, [](std::size_t, std::string_view word) -> std::optional<double> {
    auto found = std::find(kRanked.begin(), kRanked.end(), word);
    if (found == kRanked.end()) return std::nullopt;
    return double(found - kRanked.begin());
  });
  const std::size_t n = FewestToReach(text, words, keep_share * double(count(text)), count);
  return {WithoutWords(text, words, n), n};
}

}  // namespace helix::levers
