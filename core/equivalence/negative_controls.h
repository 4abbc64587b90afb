// Changes that must show. A comparison that would not notice them proves nothing by noticing nothing.
#pragma once
#include <string>
#include <vector>

#include "core/equivalence/arm_runner.h"

namespace helix::equivalence {

struct NegativeControl {
  std::string kind;  // prefix_token_flipped, suffixes_swapped, hit_counter, needle_canary
  bool detected = false;
  std::string detail;
};

// Raw readings; whether they show is decided once the run's noise is known.
struct ControlPair {
  std::string kind;
  ArmOutput original;              // the cached answer of the unchanged prompt
  ArmOutput changed;               // the cached answer of the changed one
  std::int64_t most_reusable = 0;  // tokens that the changed prompt shares with the cache
};

// One prefix token of a prompt flipped; the suffixes of two conversations swapped, both ways.
Result<std::vector<ControlPair>> RunNegativeControls(ArmRunner& runner, PromptSource& source,
                                                     std::int64_t prefix, int output_tokens);

// Detected: the tokens differ (texts, where there are no ids), or a log-probability does by more than `noise`
// (D_GF, nat) explains. A changed prompt that reused more than it shares with the cache was answered from a
// stale prefix, and is not detected.
NegativeControl Judge(const ControlPair& pair, double noise);

std::int64_t NegativeControlTokens(std::int64_t prefix);

}  // namespace helix::equivalence
