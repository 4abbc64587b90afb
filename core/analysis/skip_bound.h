// How much of what skipping can save was saved. Every value is derived from measured ratios and token counts.
#pragma once
#include <optional>

namespace helix::analysis {

// n / u: no prefill can get faster by more when u of n tokens are computed. nullopt unless 0 < u <= n.
std::optional<double> SkipBound(double prompt, double uncached);

// (1 - 1/r) / (1 - u/n): the share of the skippable time that was saved, at a measured ratio r = off / on.
// Negative when the cache made it slower. nullopt when nothing can be skipped (u = n) or r is not positive.
std::optional<double> FractionOfBound(double ratio, double prompt, double uncached);

// 1 / ((1 - p) + p u/n): what end to end can gain at most when the cold prefill is the share p of the cold
// total (Amdahl). nullopt unless 0 <= p <= 1.
std::optional<double> EndToEndBound(double prefill_share, double prompt, double uncached);

}  // namespace helix::analysis
