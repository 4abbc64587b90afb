// The first position at which two arms' answers differ, with what a reader needs to judge it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/equivalence/arm_output.h"

namespace helix::equivalence {

// Where an answer stands in its prompt, so that a divergence can be laid against the boundaries of the cache.
// Only what is known is set.
struct PromptMap {
  std::optional<std::int64_t> prompt_tokens;
  std::optional<std::int64_t> reused_tokens;  // where the cached part ends
  std::optional<std::int64_t> block_size;     // reuse comes in multiples of this; 1 is no boundary
  std::optional<std::int64_t> ubatch;         // micro-batch of the server
  std::vector<std::int64_t> turn_starts;      // prompt positions at which a turn begins
  std::optional<std::int64_t> slot_end;       // tokens one slot holds
};

struct Boundary {
  std::string kind;  // reuse_end, block, ubatch, turn, slot_end
  std::int64_t position = 0;
  std::int64_t distance = 0;  // divergence minus boundary, in tokens
};

// The nearest boundary of each kind to an absolute position (prompt plus generated tokens).
std::vector<Boundary> NearestBoundaries(const PromptMap& map, std::int64_t position);

struct Divergence {
  std::size_t index = 0;             // of the generated token
  std::optional<double> gap_cached;  // top two of the cached arm, nat
  std::optional<double> gap_fresh;
  std::optional<double> delta;  // distance of the log-probabilities at the index, nat
  std::optional<bool> swapped;  // the same two tokens lead in both arms
  Json details;                 // ids and pieces before, continuations, top lists, boundaries
};

// nullopt when the tokens are the same.
std::optional<Divergence> FindDivergence(const ArmOutput& cached, const ArmOutput& fresh,
                                         const PromptMap& map);

// {"index":..,"gap_cached":..,...} with the details merged in.
Json ToJson(const Divergence& divergence);

}  // namespace helix::equivalence
