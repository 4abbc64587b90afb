// Ways in which a prefix cache goes wrong, injected into the toy's cache when it is about to be reused. Each
// has a real engine's bug behind it (docs/equivalence.md).
#pragma once
#include <string>
#include <vector>

#include "tests/fakes/toy_model.h"

namespace helix::fakes {

enum class ToyMutant {
  kNone,
  kCorruptedRow,  // M1: one token's keys and values overwritten
  kFlippedBit,    // M1b: the sign of one value of one token flipped, as in a damaged file without a checksum
  kStalePrefix,   // M2: a prompt that differs in one token counts as the same
  kWrongSlot,     // M3: another conversation's cache
  kOneTooMany,    // M4a: one token of the suffix is never computed
  kOneTwice,      // M4b: the last cached token is computed again, its old cell stays
  kShiftedPositions,  // M5: keys rotated one position further
  kSwappedTemplate,   // M6: the turn marker is another one
  kSwappedWeights,    // M7: the cache was computed with other weights
  kQuantisedCache,    // M8: keys and values rounded to 4 bits
  kTornRestore,       // M9: the end of a saved cache is missing and reads as zeros
  kPhantomHit,        // M10: the cells were evicted, the index still claims them
  kCarriedSampler,    // M11: the sampler still bans the tokens of the request before
  kReusedLogits,      // M12: the answer starts from the logits of the request before
};

// M1 to M12, in order.
const std::vector<ToyMutant>& AllToyMutants();
const char* ToyMutantName(ToyMutant mutant);

// Applies the mutants that change the cells of a prefix that is about to be reused (M1, M3, M5, M7 to M10);
// the others act in the backend. `tokens` are the prefix's.
void MutateCells(ToyMutant mutant, std::uint64_t seed, const std::vector<TokenId>& tokens, KvCache& cells);

}  // namespace helix::fakes
