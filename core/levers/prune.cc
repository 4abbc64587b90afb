#include "core/levers/prune.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/levers/lines.h"
#include "core/levers/transforms.h"

namespace helix::levers {
namespace {

// Fillers first, then function words of written English from the most frequent on. No negation is among them.
constexpr std::array<std::string_view, 32> kRanked = {
    "very", "really", "quite", "basically", "actually", "simply", "essentially", "just", "the",  "of",   "a",
    "an",   "that",   "this",  "these",     "those",    "which",  "is",          "are",  "was",  "were", "be",
    "been", "has",    "have",  "had",       "it",       "its",    "there",       "also", "some", "such"};

struct Word {
  std::size_t begin = 0;
  std::size_t end = 0;  // with the blank behind it
  std::size_t rank = 0;
};

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool ProtectedLine(std::string_view line) {
  return line.find_first_of("0123456789\"'`{}<>=;#|") != std::string_view::npos || IsErrorLine(line);
}

void WordsOfLine(std::string_view text, std::size_t from, std::size_t to, std::vector<Word>& out) {
  for (std::size_t at = from; at < to;) {
    if (!IsLetter(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < to && IsLetter(text[end])) ++end;
    auto word = text.substr(at, end - at);
    bool stands_alone = (at == from || text[at - 1] == ' ') && end < to && text[end] == ' ';
    auto found = std::find(kRanked.begin(), kRanked.end(), word);
    if (stands_alone && found != kRanked.end()) {
      out.push_back({at, end + 1, static_cast<std::size_t>(found - kRanked.begin())});
    }
    at = end;
  }
}

std::string Without(std::string_view text, std::vector<Word> words) {
  std::sort(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t at = 0;
  for (const auto& word : words) {
    out += text.substr(at, word.begin - at);
    at = word.end;
  }
  return out + std::string(text.substr(at));
}

}  // namespace

Pruned PruneFrequentWords(std::string_view text, double keep_share, const TokenCounter& count) {
  Pruned out{std::string(text), 0};
  if (LooksLikeCode(text)) return out;
  std::vector<Word> words;
  std::size_t from = 0;
  for (auto line : SplitLines(text)) {
    if (!ProtectedLine(line)) WordsOfLine(text, from, from + line.size(), words);
    from += line.size() + 1;
  }
  std::stable_sort(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.rank < b.rank; });
  const double target = keep_share * double(count(text));
  // The fewest words that reach the target: the count falls with every word, so halving finds it.
  std::size_t low = 0;
  std::size_t high = words.size();
  auto first = [&](std::size_t n) {
    return std::vector<Word>(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n));
  };
  while (low < high) {
    std::size_t middle = (low + high) / 2;
    if (double(count(Without(text, first(middle)))) <= target) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  out.words_dropped = low;
  out.text = Without(text, first(low));
  return out;
}

}  // namespace helix::levers
