// The honest arithmetic of prompt compression: five ways to send the same conversation, in dollars.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/cost/money.h"
#include "core/cost/prices.h"

namespace helix::cost {

// What one turn adds. Token counts are the provider's, or estimates where they are labelled so.
struct RecordedTurn {
  std::int64_t new_tokens = 0;         // as the client would send it
  std::int64_t compressed_tokens = 0;  // the same after compression
  std::int64_t out_tokens = 0;
};

struct LeverInput {
  std::int64_t static_tokens = 0;  // system and tools: never compressed
  std::vector<RecordedTurn> turns;
  std::int64_t overhead_tokens = 0;  // what the compressor's instructions add to the static part
  int extra_turns = 0;               // follow-ups that the compression caused, each like the last turn
  Money compressor_cost;             // its own calls or energy
  bool gates_passed = false;         // a saving with a failed gate counts 0
};

struct LeverArms {
  Money off;                       // A: nothing cached, nothing compressed
  Money cached;                    // B: prefix cached, nothing compressed
  Money compressed;                // C: compressed, nothing cached
  Money compressed_cached;         // D: compressed on entry, prefix cached
  Money recompressed_history;      // E: history rewritten every turn (negative control)
  Money net_saving;                // B - D, less compressor and extra turns; 0 when a gate failed
  Money saved_by_provider;         // A - B: the provider's caching, not ours
  bool control_is_dearer = false;  // E > B, as it must be
  std::string headline;            // one sentence; a token ratio only when the cached cost fell
};

LeverArms CompareLevers(const LeverInput& input, const PriceRow& prices);
Json ToJson(const LeverArms& arms);

}  // namespace helix::cost
