// Looking at the data before the end costs error: what a planned number of looks leaves for each.
#pragma once
#include "core/base/json.h"

namespace helix::analysis {

// The two-sided level of each of `looks` equally spaced looks that keeps 5 % in all: Pocock, "Group
// sequential methods in the design and analysis of clinical trials", Biometrika 64 (1977), up to 10 looks;
// beyond, 5 % over their number.
double NominalAlpha(double looks);

// The level that a report's plan leaves for its interval: 0.05 for a fixed number of pairs; with more looks
// what the plan states, and never more than NominalAlpha. Stopping on precision costs nothing.
double AlphaOfPlan(const Json& plan);

}  // namespace helix::analysis
