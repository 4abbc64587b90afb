#include "core/levers/token_counter.h"

namespace helix::levers {
namespace {

enum class Kind { kLetter, kDigit, kBlank, kNewline, kPunctuation };

Kind KindOf(char c) {
  auto u = static_cast<unsigned char>(c);
  if ((u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u >= 0x80) return Kind::kLetter;
  if (u >= '0' && u <= '9') return Kind::kDigit;
  if (u == ' ' || u == '\t') return Kind::kBlank;
  return u == '\n' || u == '\r' ? Kind::kNewline : Kind::kPunctuation;
}

std::int64_t Pieces(Kind kind, std::size_t length, bool before_word) {
  auto n = static_cast<std::int64_t>(length);
  switch (kind) {
    case Kind::kLetter:
      return (n + 5) / 6;
    case Kind::kDigit:
      return (n + 2) / 3;
    case Kind::kBlank:
      return before_word && n == 1 ? 0 : 1;  // one blank belongs to the word behind it
    case Kind::kNewline:
      return 1;
    case Kind::kPunctuation:
      return (n + 2) / 3;
  }
  return n;
}

}  // namespace

std::int64_t EstimateTokens(std::string_view text) {
  std::int64_t tokens = 0;
  for (std::size_t at = 0; at < text.size();) {
    Kind kind = KindOf(text[at]);
    std::size_t end = at + 1;
    while (end < text.size() && KindOf(text[end]) == kind) ++end;
    bool before_word = end < text.size() && KindOf(text[end]) == Kind::kLetter;
    tokens += Pieces(kind, end - at, before_word);
    at = end;
  }
  return tokens;
}

}  // namespace helix::levers
