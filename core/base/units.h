// Units that live in the type: tokens cannot be added to dollars. Durations are float milliseconds.
#pragma once
#include <chrono>
#include <compare>
#include <cstdint>

namespace helix {

using Millis = std::chrono::duration<double, std::milli>;

template <typename Tag, typename Rep>
struct Quantity {
  Rep count{};
  friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;
  constexpr Quantity& operator+=(Quantity other) {
    count += other.count;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.count + b.count}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.count - b.count}; }
};

using Tokens = Quantity<struct TokensTag, std::int64_t>;
using Usd = Quantity<struct UsdTag, double>;

}  // namespace helix
