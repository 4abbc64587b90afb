#include "core/usage/delta_filter.h"

#include <array>
#include <cstring>

namespace helix::usage {
namespace {

bool Contains(std::string_view text, std::string_view needle) {
  return memmem(text.data(), text.size(), needle.data(), needle.size()) != nullptr;
}

std::string_view SkipBlanks(std::string_view text) {
  auto at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

// Whether `"name":` stands at this quote with a value other than null. A quoted word inside a string has a
// backslash before its closing quote and does not match.
bool HoldsAt(std::string_view text, std::size_t quote, std::string_view name) {
  auto rest = text.substr(quote + 1);
  if (!rest.starts_with(name) || rest.size() <= name.size() || rest[name.size()] != '"') return false;
  rest = SkipBlanks(rest.substr(name.size() + 1));
  if (!rest.starts_with(':')) return false;  // a value, not a name
  return !SkipBlanks(rest.substr(1)).starts_with("null");
}

// Whether one of these members is there and not null, anywhere in the text. One pass from quote to quote:
// this sees every event of every stream.
template <std::size_t N>
bool AnyHolds(std::string_view text, const std::array<std::string_view, N>& names) {
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) {
    if (at + 1 >= text.size()) return false;
    const char first = text[at + 1];
    for (auto name : names) {
      if (name.front() == first && HoldsAt(text, at, name)) return true;
    }
  }
  return false;
}

constexpr std::array<std::string_view, 2> kOfAnthropic = {"usage", "error"};
constexpr std::array<std::string_view, 6> kOfChunk = {"usage",   "finish_reason", "error",
                                                      "timings", "cost",          "prompt_progress"};

// The head is enough: these events begin with their type.
constexpr std::size_t kHead = 64;

bool IsOpenAiChunk(std::string_view data) {
  return Contains(data, "\"chat.completion.chunk\"");
}

bool IsAnthropicDelta(std::string_view data) {
  auto head = data.substr(0, kHead);
  return Contains(head, "\"content_block_delta\"") || Contains(head, "\"ping\"");
}

}  // namespace

bool IsPlainDelta(std::string_view data) {
  if (IsAnthropicDelta(data)) return !AnyHolds(data, kOfAnthropic);
  return IsOpenAiChunk(data) && !AnyHolds(data, kOfChunk);
}

}  // namespace helix::usage
