// Reading one counter from a provider's reply. Providers leave counters out, send null, send "12" or 12.0;
// each of these means something else, and none of them means zero.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "core/base/json.h"
#include "core/base/measured.h"
#include "core/base/units.h"

namespace helix::usage {

struct Count {
  enum class State { kAbsent, kNull, kInvalid, kValue };
  State state = State::kAbsent;
  std::int64_t value = 0;  // only when state is kValue

  [[nodiscard]] bool present() const { return state == State::kValue; }
  // As the server's own number; absent unless it is a value.
  [[nodiscard]] Measured<Tokens> Reported() const;
};

Count MakeCount(std::int64_t value);
// Whole numbers from 0 to 2^53, also as 12.0 or "12". Anything else that is not null is kInvalid.
Count CountAt(const Json& object, std::string_view path);
// The first path that holds a value; failing that the first that is null or invalid; else absent.
Count FirstCount(const Json& object, std::initializer_list<std::string_view> paths);
// Absent only when both are; a value when at least one is.
Count AddCounts(const Count& a, const Count& b);

}  // namespace helix::usage
