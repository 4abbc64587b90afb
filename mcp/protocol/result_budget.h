// Keeps what an agent is shown small: clients cut long results in the middle, or drop them.
#pragma once
#include <cstddef>

#include "core/base/json.h"

namespace helix::mcp {

inline constexpr std::size_t kResultBudget = 9 * 1024;

// `result` when its pretty-printed form fits into `budget` bytes. Else a copy whose longest lists and texts
// are cut until it fits, with `truncated`: {"/json/pointer": {"shown": n, "total": m}} added, so that nothing
// is missing without a word. Needs an object.
Json FitBudget(const Json& result, std::size_t budget = kResultBudget);

}  // namespace helix::mcp
