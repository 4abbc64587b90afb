#include "core/consistency/log_numbers.h"

#include <cctype>
#include <charconv>
#include <string>

namespace helix::consistency {
namespace {

bool NameByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::optional<double> ReadNumber(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() &&
         (text[begin] == ' ' || text[begin] == '=' || text[begin] == ':' || text[begin] == '"'))
    ++begin;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + begin, end, value);
  return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<double> NumberAfter(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const std::size_t after = at + name.size();
    const bool whole =
        (at == 0 || !NameByte(line[at - 1])) && (after >= line.size() || !NameByte(line[after]));
    if (!whole) continue;
    if (auto value = ReadNumber(line.substr(after))) return value;
  }
  return std::nullopt;
}

}  // namespace helix::consistency
