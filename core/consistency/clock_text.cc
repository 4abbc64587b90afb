#include "core/consistency/clock_text.h"

#include <algorithm>
#include <array>
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

// What a match can start with; a regex is tried nowhere else.
enum class Start { kDigit, kMonth, kWeekday };

struct Pattern {
  std::regex regex;
  bool time;
  Start start;
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
       true, Start::kDigit},
      {std::regex("(?:19|20)\\d{2}[01]\\d[0-3]\\dT\\d{4,6}(?:\\.\\d+)?Z?", flags), true, Start::kDigit},
      {std::regex("1[4-9]\\d{8}(?:\\d{3}){0,3}(?:\\.\\d+)?", flags), true, Start::kDigit},
      {std::regex("\\d{1,2}\\s?[ap]\\.?m\\b", flags), true, Start::kDigit},
      {std::regex("\\d+\\s?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\\s+ago", flags), true,
       Start::kDigit},
      {std::regex("(?:19|20)\\d{2}[-/.](?:0?[1-9]|1[0-2])[-/.](?:3[01]|[12]\\d|0?[1-9])", flags), false,
       Start::kDigit},
      {std::regex("(?:3[01]|[12]\\d|0?[1-9])[-/.](?:3[01]|[12]\\d|0?[1-9])[-/.](?:19|20)\\d{2}", flags),
       false, Start::kDigit},
      {std::regex("(?:19|20)\\d{2}\u5e74\\d{1,2}\u6708\\d{1,2}\u65e5"), false, Start::kDigit},
      {std::regex(month + "\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+(?:19|20)\\d{2})?", flags), false,
       Start::kMonth},
      {std::regex("\\d{1,2}(?:st|nd|rd|th)?\\.?\\s+" + month + "\\.?,?(?:\\s+(?:19|20)\\d{2})?", flags),
       false, Start::kDigit},
      {std::regex(month + "\\.?,?\\s+(?:19|20)\\d{2}", flags), false, Start::kMonth},
      {std::regex("(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?", flags), false,
       Start::kWeekday},
      {std::regex("(?:19|20)\\d{2}", flags), false, Start::kDigit},
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

bool StartsOneOf(std::string_view text, std::string_view triples) {
  if (text.size() < 3) return false;
  std::array<char, 3> lower{};
  std::transform(text.begin(), text.begin() + 3, lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (std::size_t at = 0; at < triples.size(); at += 3)
    if (triples.compare(at, 3, lower.data(), 3) == 0) return true;
  return false;
}

bool CanStart(std::string_view text, Start start) {
  if (start == Start::kMonth) return StartsOneOf(text, "janfebmaraprmayjunjulaugsepoctnovdec");
  if (start == Start::kWeekday) return StartsOneOf(text, "montuewedthufrisatsun");
  return std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

// Every match of one pattern from left to right, each behind the one before.
void AddTokens(std::string_view text, const Pattern& pattern, std::vector<Token>& tokens) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::cmatch match;
    if (!CanStart(text.substr(at), pattern.start) ||
        !std::regex_search(text.data() + at, text.data() + text.size(), match, pattern.regex,
                           std::regex_constants::match_continuous))
      continue;
    const Span span{at, at + static_cast<std::size_t>(match.length())};
    if (StandsAlone(text, span)) tokens.push_back({span, pattern.time});
    at = span.end - 1;
  }
}

std::vector<Token> TokensOf(std::string_view text) {
  std::vector<Token> tokens;
  for (const Pattern& pattern : Patterns()) AddTokens(text, pattern, tokens);
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
