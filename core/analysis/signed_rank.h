// Wilcoxon's signed-rank distribution and the Hodges-Lehmann estimate with the interval that inverts the
// test. References: Hollander, Wolfe, Chicken, "Nonparametric Statistical Methods", 3.1-3.3; R's qsignrank.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace helix::analysis {

// Pairs up to this number use the exact null distribution; above it the normal one with continuity
// correction.
inline constexpr std::size_t kExactSignedRankPairs = 300;

// Number of sign patterns of 1..n whose positive ranks sum to v, for v = 0 .. n(n+1)/2. n <= 300.
std::vector<double> SignedRankCounts(std::size_t n);
// R's qsignrank(alpha, n): the smallest k with P(V <= k) >= alpha, or the normal approximation for large n.
std::uint64_t SignedRankQuantile(double alpha, std::size_t n);

struct HodgesLehmann {
  double estimate = 0;
  bool has_interval = false;  // n < 6 has no finite 95 % interval
  double low = 0;
  double high = 0;
};
// Nullopt for an empty list or values that are not finite. `alpha` is two-sided.
std::optional<HodgesLehmann> HodgesLehmannOf(std::vector<double> d, double alpha = 0.05);

struct SignedRankTest {
  double v = 0;  // sum of the ranks of the positive differences
  double p = 1;  // two-sided; exact without ties and zeros, else normal with corrections for both
};
// Zeros are dropped. Nullopt when nothing is left or a value is not finite.
std::optional<SignedRankTest> WilcoxonSignedRank(const std::vector<double>& d);

}  // namespace helix::analysis
