#include "mcp/protocol/raw_member.h"

#include <cstddef>

namespace helix::mcp {
namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t SkipSpace(std::string_view text, std::size_t at) {
  while (at < text.size() && IsSpace(text[at])) ++at;
  return at;
}

// `at` is on the opening quote; the result is behind the closing one.
std::size_t SkipString(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

std::size_t SkipValue(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '"') return SkipString(text, at);
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = SkipString(text, at);
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    }
    if (depth == 0 && (c == ',' || IsSpace(c))) return at;
    ++at;
  }
  return at;
}

}  // namespace

std::string_view RawMember(std::string_view text, std::string_view key) {
  std::size_t at = SkipSpace(text, 0);
  if (at >= text.size() || text[at] != '{') return {};
  at = SkipSpace(text, at + 1);
  while (at < text.size() && text[at] == '"') {
    const std::size_t name = at + 1;
    at = SkipString(text, at);
    const bool found = at > name && text.substr(name, at - 1 - name) == key;
    at = SkipSpace(text, at);
    if (at >= text.size()) return {};
    at = SkipSpace(text, at + 1);  // the colon
    const std::size_t end = SkipValue(text, at);
    if (found) return text.substr(at, end - at);
    at = SkipSpace(text, end);
    if (at >= text.size() || text[at] != ',') return {};
    at = SkipSpace(text, at + 1);
  }
  return {};
}

std::vector<std::string_view> RawElements(std::string_view text) {
  std::vector<std::string_view> elements;
  std::size_t at = SkipSpace(text, 0);
  if (at >= text.size() || text[at] != '[') return elements;
  at = SkipSpace(text, at + 1);
  while (at < text.size() && text[at] != ']') {
    const std::size_t end = SkipValue(text, at);
    elements.push_back(text.substr(at, end - at));
    at = SkipSpace(text, end);
    if (at < text.size() && text[at] == ',') at = SkipSpace(text, at + 1);
  }
  return elements;
}

}  // namespace helix::mcp
