// Hand-made arms for the classifier's tests.
#pragma once
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/equivalence/classifier.h"

namespace helix::equivalence::testing {

// One position: the token taken, then (id, log-probability), best first.
struct Position {
  TokenId taken;
  std::vector<std::pair<TokenId, double>> top;
};

inline ArmOutput Arm(std::initializer_list<Position> positions) {
  ArmOutput out;
  out.has_token_ids = true;
  out.finish = "length";
  for (const Position& position : positions) {
    backend::TokenLogprobs entry;
    entry.id = position.taken;
    for (const auto& [id, logprob] : position.top) {
      entry.top.push_back({id, std::string(1, static_cast<char>(id)), logprob});
      if (id == position.taken) entry.logprob = logprob;
    }
    out.tokens.push_back(position.taken);
    out.logprobs.push_back(entry);
  }
  return out;
}

inline Comparison Compare(ArmOutput cached, ArmOutput fresh, double noise) {
  Comparison in;
  in.cached = std::move(cached);
  in.fresh = fresh;
  in.fresh_again = std::move(fresh);
  in.control_noise = noise;
  return in;
}

}  // namespace helix::equivalence::testing
