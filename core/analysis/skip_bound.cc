#include "core/analysis/skip_bound.h"

#include <cmath>

namespace helix::analysis {

std::optional<double> SkipBound(double prompt, double uncached) {
  if (!(uncached > 0) || !(prompt >= uncached) || !std::isfinite(prompt)) return std::nullopt;
  return prompt / uncached;
}

std::optional<double> FractionOfBound(double ratio, double prompt, double uncached) {
  const auto bound = SkipBound(prompt, uncached);
  if (!bound || *bound <= 1 || !(ratio > 0) || !std::isfinite(ratio)) return std::nullopt;
  return (1 - 1 / ratio) / (1 - 1 / *bound);
}

std::optional<double> EndToEndBound(double prefill_share, double prompt, double uncached) {
  const auto bound = SkipBound(prompt, uncached);
  if (!bound || !(prefill_share >= 0) || !(prefill_share <= 1)) return std::nullopt;
  return 1 / ((1 - prefill_share) + prefill_share / *bound);
}

}  // namespace helix::analysis
