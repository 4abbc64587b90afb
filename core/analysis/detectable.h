// What a design can see: printed with every result, so that "no difference found" is not read as "no
// difference".
#pragma once
#include <optional>

namespace helix::analysis {

// The smallest ratio above 1 that a paired t test on logs finds with `power` at two-sided `alpha`, given the
// standard deviation of ln(off/on) and the number of pairs (noncentral t). Nullopt below two pairs, or when
// sd is not finite; 1 when sd is 0.
std::optional<double> MinimumDetectableRatio(double sd_log, std::size_t pairs, double power = 0.8,
                                             double alpha = 0.05);

}  // namespace helix::analysis
