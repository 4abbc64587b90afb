// The pure decision: recorded arms in, class out. Nothing here talks to a server.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/equivalence/arm_output.h"
#include "core/equivalence/divergence.h"
#include "core/equivalence/equivalence_class.h"
#include "core/equivalence/logprob_distance.h"

namespace helix::equivalence {

// The arms of one prompt. C and F see the same prompt tokens; F' repeats F in the same batch shape.
struct Comparison {
  ArmOutput cached;                               // C
  ArmOutput fresh;                                // F
  std::optional<ArmOutput> fresh_again;           // F'
  std::optional<bool> fresh_repeats_identically;  // recorded instead of F'
  std::optional<double> control_noise;            // D_GF, nat; absent: no control arm was run
  std::optional<double> recorded_gap;             // a top-two margin recorded without the lists, nat
  std::optional<std::int64_t> least_reuse;        // fewer reused tokens are no hit worth the name
  PromptMap map;
};

struct Finding {
  Class cls = Class::kUnknown;
  std::string rule;    // stable word: which rule decided, such as "logprobs_outside_control"
  std::string reason;  // one sentence with the numbers
  std::optional<Divergence> divergence;
  std::optional<DistanceSummary>
      d_cf;                // where both arms computed from the same context; absent: none to compare
  bool bit_equal = false;  // tokens and every compared log-probability
};

// Never blames the cache when the fresh arm disagrees with itself, and never passes what it cannot decide.
Finding Classify(const Comparison& comparison);

Json ToJson(const Finding& finding);

}  // namespace helix::equivalence
