#include "core/cost/money.h"

#include <algorithm>
#include <cmath>

namespace helix::cost {
namespace {
constexpr Int128 kPerUsd = 1'000'000'000'000;
}

double ToUsd(Money money) {
  return static_cast<double>(static_cast<long double>(money.count) / static_cast<long double>(kPerUsd));
}

std::string ToText(Money money) {
  bool negative = money.count < 0;
  Int128 rest = negative ? -money.count : money.count;
  std::string fraction;
  Int128 below = rest % kPerUsd;
  for (Int128 unit = kPerUsd / 10; unit > 0 && below > 0; unit /= 10) {
    fraction += static_cast<char>('0' + static_cast<int>(below / unit));
    below %= unit;
  }
  std::string whole;
  for (Int128 above = rest / kPerUsd; above > 0; above /= 10) {
    whole.insert(whole.begin(), static_cast<char>('0' + static_cast<int>(above % 10)));
  }
  if (whole.empty()) whole = "0";
  return (negative ? "-" : "") + whole + (fraction.empty() ? "" : "." + fraction);
}

Money FromUsd(double usd) {
  constexpr long double kMost = 1e30L;  // far beyond any budget, and within Int128
  const long double pico = std::roundl(static_cast<long double>(usd) * 1e12L);
  if (std::isnan(pico)) return {};
  return {static_cast<Int128>(std::clamp(pico, -kMost, kMost))};
}

std::string PicoText(Money money) {
  const bool negative = money.count < 0;
  std::string digits;
  for (Int128 rest = negative ? -money.count : money.count; rest > 0; rest /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  return (negative ? "-" : "") + (digits.empty() ? "0" : digits);
}

std::optional<Money> FromPicoText(std::string_view text) {
  constexpr std::size_t kMostDigits = 36;
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  Money money;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    money.count = money.count * 10 + (c - '0');
  }
  return money;
}

}  // namespace helix::cost
