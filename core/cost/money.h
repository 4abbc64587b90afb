// Dollars without rounding: integer pico-dollars. A price per million tokens with up to six decimals is a
// whole number of pico-dollars per token, so every sum is exact.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"

namespace helix::cost {

__extension__ using Int128 = __int128;
using Money = Quantity<struct PicoUsdTag, Int128>;
// Pico-dollars per token = 1e6 times dollars per million tokens.
using Price = Quantity<struct PicoUsdPerTokenTag, std::int64_t>;

constexpr Money operator*(Price price, Tokens tokens) {
  return {static_cast<Int128>(price.count) * static_cast<Int128>(tokens.count)};
}

// The nearest double, in dollars.
double ToUsd(Money money);
// Exact decimal dollars without trailing zeros: "0.0569445".
std::string ToText(Money money);
// From dollars, rounded to the nearest pico-dollar; what no budget can be (beyond 1e18 dollars) is cut there,
// NaN is 0.
Money FromUsd(double usd);
// Whole pico-dollars as digits, and back: what a JSON number would not keep exact. nullopt for anything that
// is not 1 to 36 digits.
std::string PicoText(Money money);
std::optional<Money> FromPicoText(std::string_view text);

}  // namespace helix::cost
