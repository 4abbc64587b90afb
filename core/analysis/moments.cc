#include "core/analysis/moments.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace helix::analysis {

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> StandardDeviation(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  double mean = Mean(values);
  double sum = 0;
  for (double v : values) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

bool AllFinite(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace helix::analysis
