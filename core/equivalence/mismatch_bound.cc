#include "core/equivalence/mismatch_bound.h"

#include <fmt/format.h>

#include <cmath>

namespace helix::equivalence {
namespace {

// The p at which `f`, rising in p, reaches `target`.
template <typename F>
double Solve(F f, double target) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) < target ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Upwards to two significant digits, so that the bound stays one.
std::string RoundedUp(double rate) {
  const double percent = rate * 100;
  const double step = percent >= 10 ? 1 : percent >= 1 ? 0.1 : 0.01;
  const double rounded = std::ceil(percent / step - 1e-9) * step;
  return step == 1 ? fmt::format("{:.0f}", rounded) : fmt::format("{:.{}f}", rounded, step == 0.1 ? 1 : 2);
}

}  // namespace

double BinomialCdf(int k, int n, double p) {
  if (k >= n) return 1;
  if (p <= 0) return 1;
  if (p >= 1) return 0;
  double sum = 0;
  for (int i = 0; i <= k; ++i) {
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  }
  return sum;
}

RateInterval MismatchInterval(int k, int n) {
  if (k == 0) return {0, 1 - std::pow(0.05, 1.0 / n)};
  RateInterval out;
  out.low = Solve([&](double p) { return 1 - BinomialCdf(k - 1, n, p); }, 0.025);
  if (k < n) out.high = Solve([&](double p) { return 1 - BinomialCdf(k, n, p); }, 0.975);
  return out;
}

std::string BoundSentence(int mismatches, int n) {
  if (n <= 0) return "no comparison was made: nothing is supported";
  const RateInterval interval = MismatchInterval(mismatches, n);
  if (mismatches == 0) {
    return fmt::format("0 mismatches of {}: supports a mismatch rate below {} % (95 %)", n,
                       RoundedUp(interval.high));
  }
  return fmt::format("{} mismatches of {}: mismatch rate {:.1f} % to {:.1f} % (95 %)", mismatches, n,
                     interval.low * 100, interval.high * 100);
}

}  // namespace helix::equivalence
