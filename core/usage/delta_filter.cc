#include "core/usage/delta_filter.h"

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

// Whether the member `"name"` is missing or null everywhere in the text. A quoted word inside a string has a
// backslash before its closing quote and does not match.
bool AbsentOrNull(std::string_view text, std::string_view quoted_name) {
  while (true) {
    const void* found = memmem(text.data(), text.size(), quoted_name.data(), quoted_name.size());
    if (found == nullptr) return true;
    auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    text = SkipBlanks(text.substr(at + quoted_name.size()));
    if (!text.starts_with(':')) continue;  // a value, not a name
    text = SkipBlanks(text.substr(1));
    if (!text.starts_with("null")) return false;
  }
}

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
  if (IsAnthropicDelta(data)) return AbsentOrNull(data, "\"usage\"") && AbsentOrNull(data, "\"error\"");
  if (!IsOpenAiChunk(data)) return false;
  return AbsentOrNull(data, "\"usage\"") && AbsentOrNull(data, "\"finish_reason\"") &&
         AbsentOrNull(data, "\"error\"") && AbsentOrNull(data, "\"timings\"") &&
         AbsentOrNull(data, "\"cost\"") && AbsentOrNull(data, "\"prompt_progress\"");
}

}  // namespace helix::usage
