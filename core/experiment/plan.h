// What will be done, decided and hashed before the first sample. It never looks at one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/experiment/arm.h"
#include "core/experiment/shape.h"
#include "core/experiment/workload.h"

namespace helix::experiment {

struct Call {
  Arm arm = Arm::kOff;
  int pair = 0;
  bool warmup = false;
};

struct Plan {
  std::uint64_t seed = 0;
  Shape shape;
  std::vector<Call> calls;
  std::string cold_method;
  Json sampler;  // the sampling parameters of a timed call
  Json prompts;  // hashes and lengths of every pair's prompts
  Json workload;

  // The `plan` of the report.
  [[nodiscard]] Json ToJson() const;
};

// The calls of a run: warm-up pairs first; controls[i] tells whether pair i has a control call. The same
// arguments give the same calls on every platform.
std::vector<Call> DrawCalls(int warmup_pairs, const std::vector<bool>& controls, std::uint64_t seed);

// Per pair: cold, prime, on, cold, and a control call where the workload has one. Which of the two cold calls
// is the `off` that is compared and which is the `off_aa` is drawn in blocks with equal counts, so `off`
// comes before `on` in half of the pairs and after it in the other half. The prime follows a cold call of its
// own pair: it shortens what that call left in the cache to the prefix, which costs one token.
Plan MakePlan(const Shape& shape, const Workload& workload, std::uint64_t seed);

}  // namespace helix::experiment
