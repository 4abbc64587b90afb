#include "mcp/protocol/near_words.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace helix::mcp {
namespace {

std::size_t Distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> NearestWord(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.size() > 64) return std::nullopt;
  std::size_t best = std::max<std::size_t>(2, word.size() / 3) + 1;
  std::optional<std::string> nearest;
  for (const auto& candidate : candidates) {
    const auto distance = Distance(word, candidate);
    if (distance >= best || distance >= candidate.size()) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace helix::mcp
