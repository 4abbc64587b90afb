#include "core/experiment/verified_label.h"

#include <algorithm>

namespace helix::experiment {
namespace {

int Badness(Verified verified) {
  switch (verified) {
    case Verified::kCold:
    case Verified::kWarm:
      return 0;
    case Verified::kInferred:
      return 1;
    case Verified::kContaminated:
      return 2;
    case Verified::kMislabelled:
      return 3;
  }
  return 3;
}

Verified Cold(std::int64_t cached, const LabelFacts& facts) {
  if (cached <= facts.cold_allowance) return Verified::kCold;
  return 2 * cached >= facts.prefix_tokens ? Verified::kMislabelled : Verified::kContaminated;
}

Verified Warm(std::int64_t cached, const LabelFacts& facts) {
  const auto reused = static_cast<double>(cached);
  const auto expected = static_cast<double>(facts.expected_cached);
  if (reused >= kWarmShare * expected) return Verified::kWarm;
  return 2 * reused < expected ? Verified::kMislabelled : Verified::kContaminated;
}

}  // namespace

std::string_view VerifiedName(Verified verified) {
  switch (verified) {
    case Verified::kCold:
      return "verified_cold";
    case Verified::kWarm:
      return "verified_warm";
    case Verified::kInferred:
      return "inferred";
    case Verified::kMislabelled:
      return "mislabelled";
    case Verified::kContaminated:
      return "contaminated";
  }
  return "mislabelled";
}

Verified Verify(Arm arm, const LabelFacts& facts) {
  if (facts.other_traffic) return Verified::kContaminated;
  if (!facts.cached_tokens.present()) return Verified::kInferred;
  const std::int64_t cached = facts.cached_tokens.value();
  return UsesCache(arm) && arm != Arm::kControl ? Warm(cached, facts) : Cold(cached, facts);
}

Verified Worst(const std::vector<Verified>& calls) {
  if (calls.empty()) return Verified::kInferred;
  return *std::max_element(calls.begin(), calls.end(),
                           [](Verified a, Verified b) { return Badness(a) < Badness(b); });
}

}  // namespace helix::experiment
