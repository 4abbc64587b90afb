#include "core/base/json_string.h"

#include <charconv>
#include <cstdint>

#include "core/base/json_text.h"

namespace helix {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool Continues(std::string_view text, std::size_t at, unsigned char least = 0x80, unsigned char most = 0xBF) {
  if (at >= text.size()) return false;
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte >= least && byte <= most;
}

// The four hexadecimal digits at `at`, or -1.
std::int32_t Hex4(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return -1;
  std::uint32_t value = 0;
  const char* end = text.data() + at + 4;
  const auto read = std::from_chars(text.data() + at, end, value, 16);
  return read.ec == std::errc() && read.ptr == end ? static_cast<std::int32_t>(value) : -1;
}

void AppendUtf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

// The escape whose "u" is at `at`; two of them where the first is half of a pair.
std::size_t ReadUnicodeEscape(std::string_view text, std::size_t at, std::string& out) {
  const std::int32_t first = Hex4(text, at + 1);
  at += 5;
  if (first < 0 || (first >= 0xDC00 && first <= 0xDFFF)) return kNone;
  auto code = static_cast<std::uint32_t>(first);
  if (first >= 0xD800 && first <= 0xDBFF) {
    const std::int32_t second = text.substr(at, 2) == "\\u" ? Hex4(text, at + 2) : -1;
    if (second < 0xDC00 || second > 0xDFFF) return kNone;
    code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<std::uint32_t>(second) - 0xDC00);
    at += 6;
  }
  AppendUtf8(code, out);
  return at;
}

// The escape whose backslash is at `at`.
std::size_t ReadEscape(std::string_view text, std::size_t at, std::string& out) {
  if (++at >= text.size()) return kNone;
  if (text[at] == 'u') return ReadUnicodeEscape(text, at, out);
  static constexpr std::string_view kLetters = "\"\\/bfnrt";
  static constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  const std::size_t which = kLetters.find(text[at]);
  if (which == kNone) return kNone;
  out += kMeant[which];
  return at + 1;
}

}  // namespace

std::size_t Utf8Length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return Continues(text, at + 1) ? 2 : 0;
  // The second byte keeps overlong forms, surrogates and what lies beyond U+10FFFF out.
  const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (!Continues(text, at + 1, least, most) || !Continues(text, at + 2)) return 0;
  if (lead < 0xF0) return 3;
  return Continues(text, at + 3) ? 4 : 0;
}

std::size_t ReadJsonString(std::string_view text, std::size_t at, std::string& out) {
  std::size_t begin = ++at;  // of what can be copied as it stands
  while (true) {
    at = json_text::EndOfRun(text, at, json_text::Above::kStop);
    if (at >= text.size()) return kNone;
    if (static_cast<unsigned char>(text[at]) > 0x7F) {
      const std::size_t length = Utf8Length(text, at);
      if (length == 0) return kNone;
      at += length;
      continue;
    }
    out.append(text.data() + begin, at - begin);
    if (text[at] == '"') return at + 1;
    if (text[at] != '\\') return kNone;
    at = ReadEscape(text, at, out);
    if (at == kNone) return kNone;
    begin = at;
  }
}

}  // namespace helix
