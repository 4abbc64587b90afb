#include "core/levers/lines.h"

#include <array>

namespace helix::levers {
namespace {

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

// `word` is in lower case.
bool StartsWith(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (Lower(text[i]) != word[i]) return false;
  }
  return true;
}

}  // namespace

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
  static constexpr std::array<std::string_view, 11> kWords = {"error",   "warn",      "fail",   "exception",
                                                              "panic",   "traceback", "assert", "denied",
                                                              "timeout", "fatal",     "refused"};
  // Every line of a log is looked at, so only letters that begin one of the words are compared further.
  static constexpr auto kBegins = [] {
    std::array<bool, 256> begins{};
    for (auto word : kWords) {
      begins[static_cast<unsigned char>(word[0])] = true;
      begins[static_cast<unsigned char>(word[0] - 32)] = true;
    }
    return begins;
  }();
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (!kBegins[static_cast<unsigned char>(line[at])]) continue;
    const char first = Lower(line[at]);
    for (std::string_view word : kWords) {
      if (word[0] == first && StartsWith(line.substr(at), word)) return true;
    }
  }
  return false;
}

}  // namespace helix::levers
