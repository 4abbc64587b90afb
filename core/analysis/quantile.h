// Quantiles by the two definitions that reports name, and bounds that need no assumption about the
// distribution. Every function refuses an empty list and values that are not finite: it returns nullopt,
// never a number.
#pragma once
#include <optional>
#include <vector>

namespace helix::analysis {

// Hyndman and Fan type 7, the default of R and NumPy: h = (n-1)p, linear between neighbours. 0 <= p <= 1.
std::optional<double> QuantileType7(std::vector<double> values, double p);
std::optional<double> Median(std::vector<double> values);

// Hyndman and Fan type 1: the value of rank ceil(n * p), the rank computed in integers from p in thousandths,
// because the floating-point product is off by one for some n. 0 < per_mille <= 1000.
std::optional<double> QuantileNearestRank(std::vector<double> values, int per_mille);

// True when the nearest rank of p is the last one: the "quantile" is the slowest sample and no more.
bool NearestRankIsMax(std::size_t n, int per_mille);

// Order statistics that enclose the p-quantile with at least `confidence`, equal tails. Ranks start at 1; a
// rank of 0 means that side has no finite bound at this n.
struct RankBounds {
  std::size_t lower = 0;
  std::size_t upper = 0;
  double coverage = 0;  // of the closed interval when both exist
};
RankBounds QuantileRankBounds(std::size_t n, double p, double confidence = 0.95);

// The smallest n whose maximum is an upper bound of the p-quantile with `confidence`: 59 for p95 at 95 %.
std::size_t MinimumForUpperBound(double p, double confidence = 0.95);

// Median of |x - median|, unscaled.
std::optional<double> MedianAbsoluteDeviation(const std::vector<double>& values);

}  // namespace helix::analysis
