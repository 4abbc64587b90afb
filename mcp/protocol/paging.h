// Lists in pages, by size: one reply stays below the 64 KiB line at which some clients stop reading.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace helix::mcp {

inline constexpr std::size_t kPageBytes = 48 * 1024;

// {"<member>":[...],"nextCursor":"..."} from the place that params.cursor names; nextCursor is absent on the
// last page. An unknown cursor is kInvalidArgument.
Result<Json> Page(const std::string& member, const std::vector<Json>& items, const Json& params,
                  std::size_t page_bytes = kPageBytes);

}  // namespace helix::mcp
