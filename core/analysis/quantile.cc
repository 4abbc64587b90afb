#include "core/analysis/quantile.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/distributions.h"

namespace helix::analysis {
namespace {

bool Usable(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

double Select(std::vector<double>& values, std::size_t index) {
  auto nth = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

std::size_t NearestRank(std::size_t n, int per_mille) {
  std::size_t rank = (n * static_cast<std::size_t>(per_mille) + 999) / 1000;
  return std::max<std::size_t>(rank, 1);
}

}  // namespace

std::optional<double> QuantileType7(std::vector<double> values, double p) {
  if (!Usable(values) || !(p >= 0 && p <= 1)) return std::nullopt;
  double h = static_cast<double>(values.size() - 1) * p;
  auto low = static_cast<std::size_t>(std::floor(h));
  double a = Select(values, low);
  if (low + 1 >= values.size()) return a;
  // After nth_element the next order statistic is the least of what follows.
  double b = *std::min_element(values.begin() + static_cast<std::ptrdiff_t>(low) + 1, values.end());
  return a + (h - static_cast<double>(low)) * (b - a);
}

std::optional<double> Median(std::vector<double> values) {
  return QuantileType7(std::move(values), 0.5);
}

std::optional<double> QuantileNearestRank(std::vector<double> values, int per_mille) {
  if (!Usable(values) || per_mille <= 0 || per_mille > 1000) return std::nullopt;
  return Select(values, NearestRank(values.size(), per_mille) - 1);
}

bool NearestRankIsMax(std::size_t n, int per_mille) {
  return n > 0 && NearestRank(n, per_mille) == n;
}

RankBounds QuantileRankBounds(std::size_t n, double p, double confidence) {
  RankBounds out;
  if (n == 0) return out;
  double tail = (1 - confidence) / 2;
  // x_(l) lies above the quantile only when fewer than l values fall at or below it: P(X <= l-1).
  std::size_t low = 0;
  for (std::size_t high = n; low < high;) {
    std::size_t middle = low + (high - low + 1) / 2;
    if (BinomialCdf(middle - 1, n, p) <= tail) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  // x_(u) lies below it only when at least u values do: P(X >= u).
  std::size_t up = n + 1;
  for (std::size_t least = 1; least < up;) {
    std::size_t middle = least + (up - least) / 2;
    if (1 - BinomialCdf(middle - 1, n, p) <= tail) {
      up = middle;
    } else {
      least = middle + 1;
    }
  }
  out.lower = low;
  out.upper = up <= n ? up : 0;
  if (out.lower != 0 && out.upper != 0) {
    out.coverage = BinomialCdf(out.upper - 1, n, p) - BinomialCdf(out.lower - 1, n, p);
  }
  return out;
}

std::size_t MinimumForUpperBound(double p, double confidence) {
  return static_cast<std::size_t>(std::ceil(std::log(1 - confidence) / std::log(p) - 1e-12));
}

std::optional<double> MedianAbsoluteDeviation(const std::vector<double>& values) {
  auto middle = Median(values);
  if (!middle) return std::nullopt;
  std::vector<double> distance(values);
  for (double& v : distance) v = std::fabs(v - *middle);
  return Median(std::move(distance));
}

}  // namespace helix::analysis
