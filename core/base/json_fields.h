// Typed reads from a JSON value that never throw and never turn an absent field into zero.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace helix {

// The member, or nullptr when `object` is not an object or has no such key. Borrowed from `object`.
const Json* Find(const Json& object, std::string_view key);
// Follows keys separated by '/': FindPath(reply, "usage/prompt_tokens_details/cached_tokens").
const Json* FindPath(const Json& object, std::string_view path);

// The value at `path`, or nullopt when absent, null or of another type. A float with an integral value counts
// as an integer; booleans are never numbers.
std::optional<std::int64_t> IntAt(const Json& object, std::string_view path);
std::optional<double> NumberAt(const Json& object, std::string_view path);
std::optional<std::string> StringAt(const Json& object, std::string_view path);
std::optional<bool> BoolAt(const Json& object, std::string_view path);

// null when absent.
template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace helix
