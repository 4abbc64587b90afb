#include "core/levers/droppable.h"

#include <algorithm>
#include <array>

#include "core/levers/lines.h"
#include "core/levers/transforms.h"

namespace helix::levers {
namespace {

constexpr std::array<std::string_view, 13> kNegations = {"not",    "no",      "never",   "none",   "nor",
                                                         "unless", "except",  "without", "cannot", "nothing",
                                                         "nobody", "neither", "nowhere"};

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool ProtectedLine(std::string_view line) {
  return line.find_first_of("0123456789\"'`{}<>=;#|") != std::string_view::npos || IsErrorLine(line);
}

bool IsNegation(std::string_view word) {
  return std::find(kNegations.begin(), kNegations.end(), word) != kNegations.end();
}

}  // namespace

std::vector<DroppableWord> DroppableWords(
    std::string_view text,
    const std::function<std::optional<double>(std::size_t begin, std::string_view word)>& cost) {
  std::vector<DroppableWord> out;
  if (LooksLikeCode(text)) return out;
  std::size_t from = 0;
  for (auto line : SplitLines(text)) {
    const std::size_t to = from + line.size();
    for (std::size_t at = from; at < to && !ProtectedLine(line);) {
      std::size_t end = at;
      while (end < to && IsLetter(text[end])) ++end;
      const auto word = text.substr(at, end - at);
      const bool alone = !word.empty() && (at == from || text[at - 1] == ' ') && end < to && text[end] == ' ';
      const auto price = alone && !IsNegation(word) ? cost(at, word) : std::nullopt;
      if (price) out.push_back({at, end + 1, *price});
      at = std::max(end, at + 1);
    }
    from = to + 1;
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const DroppableWord& a, const DroppableWord& b) { return a.cost < b.cost; });
  return out;
}

std::string WithoutWords(std::string_view text, const std::vector<DroppableWord>& words, std::size_t n) {
  std::vector<DroppableWord> gone(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n));
  std::sort(gone.begin(), gone.end(),
            [](const DroppableWord& a, const DroppableWord& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t at = 0;
  for (const auto& word : gone) {
    out += text.substr(at, word.begin - at);
    at = word.end;
  }
  return out + std::string(text.substr(at));
}

std::size_t FewestToReach(std::string_view text, const std::vector<DroppableWord>& words, double target,
                          const TokenCounter& count) {
  // The count falls with every word, so halving finds it.
  std::size_t low = 0;
  std::size_t high = words.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (double(count(WithoutWords(text, words, middle))) <= target) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace helix::levers
