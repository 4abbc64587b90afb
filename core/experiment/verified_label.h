// What an arm turned out to be, by the server's own counter: a label asked for is not a label earned.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/measured.h"
#include "core/experiment/arm.h"

namespace helix::experiment {

enum class Verified {
  kCold,          // nothing was reused beyond what the cold allowance names
  kWarm,          // at least 95 % of the expected prefix was reused
  kInferred,      // the server gave no counter: nothing is proven
  kMislabelled,   // the counter says the opposite of the arm's name
  kContaminated,  // something in between, or other traffic reached the server during the call
};

// "verified_cold", "verified_warm", "inferred", "mislabelled", "contaminated".
std::string_view VerifiedName(Verified verified);

// The share of the expected prefix from which on a warm call counts as warm.
inline constexpr double kWarmShare = 0.95;

struct LabelFacts {
  Measured<std::int64_t> cached_tokens;
  std::int64_t expected_cached = 0;  // for the warm arm: the prefix
  std::int64_t prefix_tokens = 0;
  std::int64_t cold_allowance = 0;  // tokens that every prompt shares, such as the start token
  bool other_traffic = false;
};

// Cold arms are judged against the allowance, warm ones (on, prime) against what was expected; a control call
// is warm in name only and must reuse nothing, so it is judged as a cold one.
Verified Verify(Arm arm, const LabelFacts& facts);

// An arm is as good as its worst call; kInferred for none.
Verified Worst(const std::vector<Verified>& calls);

}  // namespace helix::experiment
