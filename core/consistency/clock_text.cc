#include "core/consistency/clock_text.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <string>
#include <vector>

namespace helix::consistency {
namespace {

constexpr std::size_t kWindow = 160;

struct Token {
  Span span;
  bool time = false;
};

struct Pattern {
  std::regex regex;
  bool time;
};

// Windows are short, so the backtracking of std::regex stays small.
const std::vector<Pattern>& Patterns() {
  static const std::string month =
      "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:"
      "ober)?|"
      "nov(?:ember)?|dec(?:ember)?)";
  static const auto flags = std::regex::ECMAScript | std::regex::icase;
  static const std::vector<Pattern> patterns = {
      {std::regex("\\d{1,2}:[0-5]\\d(?::[0-5]\\d)?(?:[.,]\\d{1,9})?(?:\\s?[ap]\\.?m\\.?)?"
                  "(?:\\s?(?:Z|UTC|GMT|CES?T|E[SD]T|P[SD]T|[+-]\\d{2}:?\\d{2}))?",
                  flags),
       true},
      {std::regex("(?:19|20)\\d{2}[01]\\d[0-3]\\dT\\d{4,6}(?:\\.\\d+)?Z?", flags), true},
      {std::regex("1[4-9]\\d{8}(?:\\d{3}){0,3}(?:\\.\\d+)?", flags), true},
      {std::regex("\\d{1,2}\\s?[ap]\\.?m\\b", flags), true},
      {std::regex("\\d+\\s?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\\s+ago", flags), true},
      {std::regex("(?:19|20)\\d{2}[-/.](?:0?[1-9]|1[0-2])[-/.](?:3[01]|[12]\\d|0?[1-9])", flags), false},
      {std::regex("(?:3[01]|[12]\\d|0?[1-9])[-/.](?:3[01]|[12]\\d|0?[1-9])[-/.](?:19|20)\\d{2}", flags),
       false},
      {std::regex("(?:19|20)\\d{2}\u5e74\\d{1,2}\u6708\\d{1,2}\u65e5"), false},
      {std::regex(month + "\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+(?:19|20)\\d{2})?", flags), false},
      {std::regex("\\d{1,2}(?:st|nd|rd|th)?\\.?\\s+" + month + "\\.?,?(?:\\s+(?:19|20)\\d{2})?", flags),
       false},
      {std::regex(month + "\\.?,?\\s+(?:19|20)\\d{2}", flags), false},
      {std::regex("(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?", flags), false},
      {std::regex("(?:19|20)\\d{2}", flags), false},
  };
  return patterns;
}

bool WordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// A match inside a longer number or word is no date: "10120:15", "Sunshine". An ISO "T" before a time is
// fine.
bool StandsAlone(std::string_view text, Span span) {
  const bool digit_first = std::isdigit(static_cast<unsigned char>(text[span.begin])) != 0;
  if (span.begin > 0) {
    const char before = text[span.begin - 1];
    const bool iso = digit_first && (before == 'T' || before == 't');
    if ((WordByte(before) && !iso) || (digit_first && before == ':')) return false;
  }
  const char after = span.end < text.size() ? text[span.end] : ' ';
  return !WordByte(after) || after == 'T';
}

std::vector<Token> TokensOf(std::string_view text) {
  std::vector<Token> tokens;
  for (const Pattern& pattern : Patterns()) {
    std::cregex_iterator it(text.data(), text.data() + text.size(), pattern.regex);
    for (; it != std::cregex_iterator(); ++it) {
      const auto begin = static_cast<std::size_t>(it->position());
      const Span span{begin, begin + static_cast<std::size_t>(it->length())};
      if (StandsAlone(text, span)) tokens.push_back({span, pattern.time});
    }
  }
  std::sort(tokens.begin(), tokens.end(), [](auto& x, auto& y) { return x.span.begin < y.span.begin; });
  return tokens;
}

// What may stand between the parts of one expression: ", ", " at ", "T", " | ".
bool Joins(std::string_view between) {
  if (between.size() > 7 || between.find('\n') != std::string_view::npos) return false;
  return std::all_of(between.begin(), between.end(), [](char c) {
    return std::string_view(" ,T@|-()/at").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::optional<ClockText> ClockAt(std::string_view text, std::size_t at) {
  const std::size_t start = at > kWindow ? at - kWindow : 0;
  const std::string_view window = text.substr(start, 2 * kWindow);
  const std::size_t here = at - start;
  ClockText cluster;
  bool open = false;
  for (const Token& token : TokensOf(window)) {
    const bool joined = open && (token.span.begin <= cluster.span.end ||
                                 Joins(window.substr(cluster.span.end, token.span.begin - cluster.span.end)));
    if (!joined) {
      if (open && cluster.span.Holds(here)) break;
      cluster = {token.span, token.time};
      open = true;
      continue;
    }
    cluster.span.end = std::max(cluster.span.end, token.span.end);
    cluster.has_time = cluster.has_time || token.time;
  }
  if (!open || !cluster.span.Holds(here)) return std::nullopt;
  cluster.span.begin += start;
  cluster.span.end += start;
  return cluster;
}

}  // namespace helix::consistency
