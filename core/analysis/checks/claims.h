// The numbers that a report states, and what the samples give for them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/checks/check.h"

namespace helix::analysis {

struct StatedNumber {
  std::string pointer;
  double stated = 0;
  std::optional<double> recomputed;  // nullopt: the samples do not give it
  bool known = true;                 // false: no such number is computed here
};

// Every number of /claim and /statistics that follows from the samples.
std::vector<StatedNumber> StatedNumbers(const CheckInput& in);

// The claimed speed-up of the report's metric, else of any metric; and where it stands.
std::optional<double> ClaimedSpeedup(const CheckInput& in);
std::string ClaimPointer(const CheckInput& in);
// The claim equals the recomputed estimate, so it hides nothing.
bool ClaimIsRecomputed(const CheckInput& in);

// A speed-up is stated, and not as undecided or no difference.
bool ClaimsDifference(const CheckInput& in);

// The time of the claimed metric in nanoseconds.
double TimeOf(const CheckInput& in, const SampleView& s);
// Hodges-Lehmann, geometric mean and ratio of medians of the claimed metric.
std::vector<double> RatiosOf(const CheckInput& in);
// "p95(off)/p50(on)" when the claim is that ratio of two different statistics, else empty.
std::string MixtureOf(const CheckInput& in, double claim);

}  // namespace helix::analysis
