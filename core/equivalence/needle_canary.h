// Content of cached tokens: a prefix of random key lines, of which three are asked for. Works where numerics
// hide a wrong cache, and only where the model can read.
#pragma once
#include <string>

#include "core/equivalence/arm_runner.h"

namespace helix::equivalence {

enum class CanaryStatus { kNotApplicable, kFound, kWrong };
const char* CanaryStatusName(CanaryStatus status);  // "not_applicable", "found", "wrong"

struct CanaryResult {
  CanaryStatus status = CanaryStatus::kNotApplicable;
  int asked = 0;
  int found_cached = 0;
  int found_fresh = 0;
  std::string detail;
};

// Not applicable with synthetic weights, and where even the fresh answer does not hold the three values: that
// model does not do the task. kWrong: the fresh answer holds what the cached one does not.
Result<CanaryResult> RunNeedleCanary(backend::Backend& backend, ArmRunner& runner,
                                     const backend::Identity& identity, std::uint64_t seed);

}  // namespace helix::equivalence
