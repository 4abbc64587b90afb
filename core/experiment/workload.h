// The prompts of a run, as token ids of the server's own tokenizer, of exactly the lengths that were asked
// for.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/experiment/shape.h"

namespace helix::experiment {

using backend::TokenId;

struct PairPrompt {
  std::vector<TokenId> prompt;  // the prefix, then the new turn
  std::vector<TokenId>
      control;  // another prefix of equal length, then the same new turn; empty: no control call
  int prefix_tokens = 0;

  [[nodiscard]] std::vector<TokenId> Prefix() const {
    return {prompt.begin(), prompt.begin() + prefix_tokens};
  }
};

struct Workload {
  std::vector<PairPrompt> pairs;  // warm-up pairs first
  Json description;               // for the plan: how the prompts were made
  bool private_text = false;      // a user's text: reports and stored evidence hold hashes of it only
};

// Text from `seed`, another one for every pair, so that nothing repeats between pairs. The same seed, shape
// and tokenizer give the same prompts.
Result<Workload> MakeWorkload(backend::Backend& backend, const Shape& shape, std::uint64_t seed,
                              const RunContext& context);

// SHA-256 of the ids as compact JSON: "[1,2,3]".
std::string TokensSha256(const std::vector<TokenId>& tokens);

}  // namespace helix::experiment
