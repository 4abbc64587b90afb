#include <algorithm>

#include "core/evidence/digest.h"
#include "core/levers/lines.h"
#include "core/levers/transforms.h"

namespace helix::levers {
namespace {

constexpr std::size_t kShortestBase64 = 256;

// The end of an escape sequence that begins at `at`; `at` when there is none.
std::size_t AnsiEnd(std::string_view text, std::size_t at) {
  if (text[at] != '\x1b' || at + 1 >= text.size()) return at;
  if (text[at + 1] == ']') {  // a title: up to BEL
    auto bell = text.find('\a', at);
    return bell == std::string_view::npos ? at : bell + 1;
  }
  if (text[at + 1] != '[') return at + 2;
  std::size_t end = at + 2;
  while (end < text.size() && (text[end] < 0x40 || text[end] > 0x7e)) ++end;
  return end < text.size() ? end + 1 : at;
}

std::string WithoutAnsi(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = AnsiEnd(text, at);
    if (end > at) {
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

bool IsBase64(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

// Most blocks have none, and looking is much less work than rewriting.
bool HasLongRun(std::string_view block) {
  std::size_t run = 0;
  for (char c : block) {
    run = IsBase64(c) ? run + 1 : 0;
    if (run >= kShortestBase64) return true;
  }
  return false;
}

// A long word of one kind of letter is not base64: it has digits and both cases.
bool LooksEncoded(std::string_view run) {
  bool lower = false, upper = false, digit = false;
  for (char c : run) {
    lower = lower || (c >= 'a' && c <= 'z');
    upper = upper || (c >= 'A' && c <= 'Z');
    digit = digit || (c >= '0' && c <= '9');
  }
  return lower && upper && digit;
}

std::string Placeholder(std::string_view run) {
  return "[base64: " + std::to_string(run.size()) + " characters, sha256 " +
         evidence::Sha256Hex(run).substr(0, 16) + "]";
}

}  // namespace

std::optional<std::string> FinalTerminalState(std::string_view block) {
  const auto none = std::string_view::npos;
  if (block.find('\x1b') == none && block.find('\r') == none) return std::nullopt;
  const std::string plain = WithoutAnsi(block);
  std::string out;
  for (auto line : SplitLines(plain)) {
    if (line.ends_with('\r')) line.remove_suffix(1);  // a CRLF line end overwrites nothing
    auto last = line.rfind('\r');
    out += last == std::string_view::npos ? line : line.substr(last + 1);
    out += '\n';
  }
  if (!plain.ends_with('\n') && !out.empty()) out.pop_back();
  if (out == block) return std::nullopt;
  return out;
}

std::optional<std::string> ElideBase64(std::string_view block) {
  if (!HasLongRun(block)) return std::nullopt;
  std::string out;
  bool changed = false;
  for (std::size_t at = 0; at < block.size();) {
    std::size_t end = at;
    while (end < block.size() && IsBase64(block[end])) ++end;
    std::size_t padded = end;
    while (padded < block.size() && padded < end + 2 && block[padded] == '=') ++padded;
    auto run = block.substr(at, padded - at);
    if (end - at >= kShortestBase64 && LooksEncoded(run)) {
      out += Placeholder(run);
      changed = true;
      at = padded;
    } else {
      end = std::max(end, at + 1);
      out += block.substr(at, end - at);
      at = end;
    }
  }
  if (!changed) return std::nullopt;
  return out;
}

std::optional<std::string> CollapseBlankRuns(std::string_view block) {
  std::string out;
  int empty = 0;
  for (auto line : SplitLines(block)) {
    auto end = line.find_last_not_of(" \t\r");
    line = end == std::string_view::npos ? std::string_view() : line.substr(0, end + 1);
    empty = line.empty() ? empty + 1 : 0;
    if (empty > 1) continue;
    out += line;
    out += '\n';
  }
  if (!block.ends_with('\n') && !out.empty()) out.pop_back();
  if (out == block) return std::nullopt;
  return out;
}

bool LooksLikeCode(std::string_view block) {
  auto lines = SplitLines(block);
  std::size_t marks = 0;
  std::size_t written = 0;
  for (auto line : lines) {
    if (line.starts_with("@@ ") || line.starts_with("diff --git ") || line.starts_with("+++ ")) return true;
    auto end = line.find_last_not_of(" \t\r");
    if (end == std::string_view::npos) continue;
    ++written;
    char last = line[end];
    bool ends = last == ';' || last == '{' || last == '}' || last == ':' || last == '(' || last == ',';
    bool indented = line.front() == ' ' || line.front() == '\t';
    if (ends || (indented && line.find("return") != std::string_view::npos)) ++marks;
  }
  return written >= 3 && marks * 10 >= written * 3;
}

}  // namespace helix::levers
