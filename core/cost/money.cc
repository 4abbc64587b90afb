#include "core/cost/money.h"

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
  return {static_cast<Int128>(std::llroundl(static_cast<long double>(usd) * 1e12L))};
}

}  // namespace helix::cost
