#include "core/analysis/sign_flip.h"

#include <cmath>
#include <numeric>

#include "core/analysis/moments.h"
#include "core/base/random.h"

namespace helix::analysis {
namespace {

double AllPatterns(std::vector<double> d, double observed) {
  std::uint64_t patterns = std::uint64_t{1} << d.size();
  double sum = std::accumulate(d.begin(), d.end(), 0.0);
  std::uint64_t reached = 0;
  // Gray code: one sign changes from a pattern to the next.
  for (std::uint64_t i = 1; i <= patterns; ++i) {
    if (std::fabs(sum) >= observed) ++reached;
    if (i == patterns) break;
    double& value = d[static_cast<std::size_t>(__builtin_ctzll(i))];
    sum -= 2 * value;
    value = -value;
  }
  return static_cast<double>(reached) / static_cast<double>(patterns);
}

double RandomPatterns(const std::vector<double>& d, double observed, std::uint64_t seed) {
  SplitMix64 random(seed);
  int reached = 0;
  for (int i = 0; i < kRandomSignFlips; ++i) {
    double sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < d.size(); ++k) {
      if (k % 64 == 0) bits = random.Next();
      sum += (bits >> (k % 64) & 1) != 0 ? d[k] : -d[k];
    }
    if (std::fabs(sum) >= observed) ++reached;
  }
  return (reached + 1.0) / (kRandomSignFlips + 1.0);
}

}  // namespace

std::optional<double> SignFlipP(const std::vector<double>& d, std::uint64_t seed) {
  if (!AllFinite(d)) return std::nullopt;
  // Sums that are equal on paper differ in the last bits.
  double slack = 0;
  for (double v : d) slack += 1e-12 * std::fabs(v);
  double observed = std::fabs(std::accumulate(d.begin(), d.end(), 0.0)) - slack;
  return d.size() <= kExactSignFlips ? AllPatterns(d, observed) : RandomPatterns(d, observed, seed);
}

}  // namespace helix::analysis
