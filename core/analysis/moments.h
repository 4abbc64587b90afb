// Mean and spread. Empty lists give nullopt or, for the mean, must not be passed.
#pragma once
#include <optional>
#include <vector>

namespace helix::analysis {

// Only for a list with at least one value.
double Mean(const std::vector<double>& values);
// Divides by n-1; nullopt below two values.
std::optional<double> StandardDeviation(const std::vector<double>& values);
// True when there is at least one value and all are finite.
bool AllFinite(const std::vector<double>& values);

}  // namespace helix::analysis
