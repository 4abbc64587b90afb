#include "core/consistency/id_text.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace helix::consistency {
namespace {

bool IsIdByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
}
bool IsDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool IsHex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

Span WordAt(std::string_view text, std::size_t at) {
  Span span{std::min(at, text.size()), std::min(at, text.size())};
  while (span.begin > 0 && IsIdByte(text[span.begin - 1])) --span.begin;
  while (span.end < text.size() && IsIdByte(text[span.end])) ++span.end;
  return span;
}

std::string_view Cut(std::string_view text, Span span) {
  return text.substr(span.begin, span.end - span.begin);
}

bool IsUuid(std::string_view word) {
  if (word.size() != 36) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? word[i] != '-' : !IsHex(word[i])) return false;
  }
  return true;
}

// The run of letters and digits in `word` that holds byte `at`.
std::string_view Piece(std::string_view word, std::size_t at) {
  const auto alnum = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::size_t begin = std::min(at, word.size());
  std::size_t end = begin;
  while (begin > 0 && alnum(word[begin - 1])) --begin;
  while (end < word.size() && alnum(word[end])) ++end;
  return word.substr(begin, end - begin);
}

bool AllDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

bool IsHash(std::string_view piece) {
  return piece.size() >= 6 && std::all_of(piece.begin(), piece.end(), IsHex) &&
         std::any_of(piece.begin(), piece.end(), IsDigit);
}

// Letters and digits mixed as no word or version mixes them: at least three changes between the two kinds, or
// eight characters with two of each.
bool IsRandom(std::string_view piece) {
  int changes = 0;
  for (std::size_t i = 1; i < piece.size(); ++i) changes += IsDigit(piece[i]) != IsDigit(piece[i - 1]);
  const auto digits = std::count_if(piece.begin(), piece.end(), IsDigit);
  const auto letters = static_cast<std::ptrdiff_t>(piece.size()) - digits;
  return piece.size() >= 6 &&
         (changes >= 3 || (piece.size() >= 8 && changes >= 2 && digits >= 2 && letters >= 2));
}

bool Before(std::string_view text, Span word, const std::regex& pattern) {
  const std::size_t start = word.begin > 40 ? word.begin - 40 : 0;
  const std::string lead(text.substr(start, word.begin - start));
  return std::regex_search(lead, pattern);
}

bool NamedAsId(std::string_view text, Span word) {
  static const std::regex lead(
      "(?:session|request|run|trace|thread|conversation|instance|correlation|invocation|process|nonce|uuid|"
      "guid|pid|"
      "token|hash|digest|id)(?:[ _-]?(?:id|no|number|key))?[\"']?\\s*(?:[:=#]|is)?\\s*[\"'#<(]?$",
      std::regex::icase);
  return Before(text, word, lead);
}

bool InScratchPath(std::string_view text, Span word) {
  static const std::regex lead("(?:/tmp/|/var/folders/|[\\\\/]temp[\\\\/]|scratch(?:pad)?[\\\\/])[^\\s]*$",
                               std::regex::icase);
  return Before(text, word, lead);
}

bool PrefixedId(std::string_view word) {
  static const std::regex form(
      "(?:sess|session|req|run|trace|thread|conv|msg|call|toolu|chatcmpl|gen|task|job)[-_].{4,}",
      std::regex::icase);
  return word.size() < 128 && std::any_of(word.begin(), word.end(), IsDigit) &&
         std::regex_match(std::string(word), form);
}

std::string KindOf(std::string_view text, Span word, std::string_view piece) {
  const std::string_view whole = Cut(text, word);
  if (whole.size() > 128) return "";
  if (IsUuid(whole)) return "uuid";
  if (InScratchPath(text, word) && std::any_of(whole.begin(), whole.end(), IsDigit)) return "scratch_path";
  const bool digits = std::any_of(whole.begin(), whole.end(), IsDigit);
  if (PrefixedId(whole) || (digits && NamedAsId(text, word))) return "id";
  if (AllDigits(piece)) return "counter";
  if (IsHash(piece)) return "hash";
  return IsRandom(piece) ? "id" : "";
}

}  // namespace

std::optional<IdText> IdAt(std::string_view a, std::string_view b, std::size_t at) {
  IdText found;
  found.a = WordAt(a, at);
  found.b = WordAt(b, at);
  const std::string_view in_a = Piece(Cut(a, found.a), at - found.a.begin);
  const std::string_view in_b = Piece(Cut(b, found.b), at - found.b.begin);
  const std::string kind = KindOf(a, found.a, in_a);
  const std::string other = KindOf(b, found.b, in_b);
  if (kind.empty() || other.empty()) return std::nullopt;
  found.kind = kind == other ? kind : (kind == "counter" || other == "counter") ? "id" : kind;
  if (kind != other && (kind == "counter" || other == "counter") &&
      !(AllDigits(in_a) ? IsHash(in_b) || IsRandom(in_b) : IsHash(in_a) || IsRandom(in_a)))
    return std::nullopt;
  return found;
}

}  // namespace helix::consistency
