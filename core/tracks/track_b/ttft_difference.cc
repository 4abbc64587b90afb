#include "core/tracks/track_b/ttft_difference.h"

#include <cmath>

#include "core/analysis/detectable.h"
#include "core/analysis/signed_rank.h"

namespace helix::tracks {
namespace {

double StandardDeviation(const std::vector<double>& values) {
  double mean = 0;
  for (double v : values) mean += v / double(values.size());
  double sum = 0;
  for (double v : values) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / double(values.size() - 1));
}

}  // namespace

Json Difference::ToJson() const {
  return {{"value", value},
          {"ci_low", has_interval ? Json(ci_low) : Json()},
          {"ci_high", has_interval ? Json(ci_high) : Json()},
          {"minimum_detectable", has_interval ? Json(minimum_detectable) : Json()},
          {"pairs", pairs}};
}

std::optional<Difference> PairedDifference(const std::vector<double>& cold, const std::vector<double>& warm) {
  if (cold.empty() || cold.size() != warm.size()) return std::nullopt;
  std::vector<double> differences;
  for (std::size_t i = 0; i < cold.size(); ++i) differences.push_back(cold[i] - warm[i]);
  auto estimate = analysis::HodgesLehmannOf(differences);
  if (!estimate) return std::nullopt;
  Difference out;
  out.pairs = cold.size();
  out.value = estimate->estimate;
  out.has_interval = estimate->has_interval;
  out.ci_low = estimate->low;
  out.ci_high = estimate->high;
  if (cold.size() < 2) return out;
  // The detectable shift is proportional to the spread; the ratio's function gives it for a spread of 1 on
  // logs.
  auto unit = analysis::MinimumDetectableRatio(1.0, cold.size());
  if (unit) out.minimum_detectable = std::log(*unit) * StandardDeviation(differences);
  return out;
}

}  // namespace helix::tracks
