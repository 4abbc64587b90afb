// Compact JSON for comparing bytes: document key order, no white space, UTF-8 kept, cache_control left out.
#pragma once
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace helix::consistency {

// The marker of a cache breakpoint, which is no content.
inline constexpr std::string_view kCacheControl = "cache_control";

void AppendCompact(const Json& value, std::string& out);
std::string Compact(const Json& value);

// Equal as JSON when key order does not count: compact with keys sorted by bytes, cache_control left out.
std::string CompactSorted(const Json& value);

}  // namespace helix::consistency
