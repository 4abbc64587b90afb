#include "core/levers/lines.h"

#include <array>
#include <cstring>

namespace helix::levers {

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

bool IsErrorLine(std::string_view line) {
  static constexpr std::array<const char*, 11> kWords = {"error",   "warn",      "fail",   "exception",
                                                         "panic",   "traceback", "assert", "denied",
                                                         "timeout", "fatal",     "refused"};
  std::string lower;
  lower.reserve(line.size());
  for (char c : line) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  for (const char* word : kWords) {
    if (lower.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace helix::levers
