#include "core/analysis/detectable.h"

#include <cmath>

#include "core/analysis/distributions.h"

namespace helix::analysis {

std::optional<double> MinimumDetectableRatio(double sd_log, std::size_t pairs, double power, double alpha) {
  if (pairs < 2 || !std::isfinite(sd_log) || sd_log < 0) return std::nullopt;
  if (sd_log == 0) return 1.0;
  auto n = static_cast<double>(pairs);
  double critical = StudentQuantile(1 - alpha / 2, n - 1);
  double low = 0;
  double high = critical + 10;
  for (int i = 0; i < 60; ++i) {
    double middle = (low + high) / 2;
    double reached = NoncentralStudentUpper(critical, n - 1, middle);
    (reached < power ? low : high) = middle;
  }
  return std::exp(high * sd_log / std::sqrt(n));
}

}  // namespace helix::analysis
