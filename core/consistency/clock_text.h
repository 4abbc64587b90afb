// Dates and times of day in running text.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/consistency/cause.h"

namespace helix::consistency {

struct ClockText {
  Span span;              // the whole date-and-time expression
  bool has_time = false;  // it names a time of day, not only a date
};

// The date or time expression that holds byte `at` of `text`; neighbouring parts ("Tuesday, June 9, 2026,
// 03:04:20 PM +03:00") count as one. nullopt when there is none. Looks at most 160 bytes either side.
std::optional<ClockText> ClockAt(std::string_view text, std::size_t at);

}  // namespace helix::consistency
