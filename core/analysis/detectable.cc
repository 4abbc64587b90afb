#include "core/analysis/detectable.h"

#include <cmath>
#include <map>
#include <tuple>

#include "core/analysis/distributions.h"

namespace helix::analysis {
namespace {

// The noncentrality at which the test reaches its power: sixty evaluations of the noncentral t, which cost
// more than the rest of an analysis. It depends on the design alone, so each thread keeps those it has
// computed.
double NeededNoncentrality(std::size_t pairs, double power, double alpha) {
  thread_local std::map<std::tuple<std::size_t, double, double>, double> known;
  auto [it, fresh] = known.try_emplace({pairs, power, alpha}, 0);
  if (!fresh) return it->second;
  double degrees = static_cast<double>(pairs) - 1;
  double critical = StudentQuantile(1 - alpha / 2, degrees);
  double low = 0;
  double high = critical + 10;
  for (int i = 0; i < 60; ++i) {
    double middle = (low + high) / 2;
    double reached = NoncentralStudentUpper(critical, degrees, middle);
    (reached < power ? low : high) = middle;
  }
  if (known.size() > 1000) known.clear();
  known[{pairs, power, alpha}] = high;
  return high;
}

}  // namespace

std::optional<double> MinimumDetectableRatio(double sd_log, std::size_t pairs, double power, double alpha) {
  if (pairs < 2 || !std::isfinite(sd_log) || sd_log < 0) return std::nullopt;
  if (sd_log == 0) return 1.0;
  return std::exp(NeededNoncentrality(pairs, power, alpha) * sd_log / std::sqrt(static_cast<double>(pairs)));
}

}  // namespace helix::analysis
