// Runs of bytes that stand in a JSON string as themselves. Eight bytes at a time: most of a request is text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace helix::json_text {

enum class Above { kStop, kPass };  // what a byte above 0x7F does to a run

namespace detail {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kTops = 0x8080808080808080;

// Nonzero when a byte of `word` is below `limit` (at most 0x80). Bytes above 0x7F never count.
constexpr std::uint64_t Below(std::uint64_t word, std::uint8_t limit) {
  return (word - kOnes * limit) & ~word & kTops;
}
constexpr std::uint64_t Equal(std::uint64_t word, char c) {
  return Below(word ^ (kOnes * static_cast<std::uint8_t>(c)), 1);
}

constexpr bool Special(char c, Above above) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || c == '"' || c == '\\' || (above == Above::kStop && byte > 0x7F);
}

}  // namespace detail

// The first offset from `at` on of a quote, a backslash, a control character or, with kStop, a byte above
// 0x7F; text.size() when there is none.
inline std::size_t EndOfRun(std::string_view text, std::size_t at, Above above) {
  using namespace detail;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    const std::uint64_t special = Below(word, 0x20) | Equal(word, '"') | Equal(word, '\\');
    if ((special | (above == Above::kStop ? word & kTops : 0)) != 0) break;
  }
  while (at < text.size() && !Special(text[at], above)) ++at;
  return at;
}

}  // namespace helix::json_text
