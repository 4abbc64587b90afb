// What a server reports, found out with a known-warm pair before anything is believed.
#pragma once
#include <optional>

#include "core/backend/backend.h"

namespace helix::backend {

// A fresh prompt of some blocks, sent twice. From here on the backend's capabilities hold what was seen.
struct WarmPair {
  Measured<std::int64_t> prompt_tokens;
  Measured<std::int64_t> first_cached;   // of the first call: 0, or absent
  Measured<std::int64_t> repeat_cached;  // of the repeat: more than 0 proves that the instrument sees hits
  double first_ms = 0;
  double repeat_ms = 0;
  [[nodiscard]] bool hit_seen() const { return repeat_cached.present() && repeat_cached.value() > 0; }
};

// Evicts what a slot held. `blocks` of the server's block size, at least 64 tokens.
Result<WarmPair> ProbeWarmPair(Backend& backend, int blocks, const RunContext& context);

// Empties the cache and proves it: a prompt that was a hit just before must be none after. The server's word
// alone is not enough. kProtocol when it answered that it did and the counters say otherwise; kUnavailable
// when hits cannot be seen, so that nothing can be proven, or when it cannot be emptied.
Status ProvenReset(Backend& backend, const RunContext& context);

// Whether a hit crosses cache namespaces: random prompts of ours are sent under salt A twice (a hit), then
// under salt B and without one, and to `other_key` where it is given: the same server with another API key.
// {"verdict": "ISOLATED" | "CROSSES" | "UNCONFIRMED", "fact", "prompts", "hits_same_salt", "hits_other_salt",
// "hits_no_salt", "hits_other_key" (null without one)}. No prompt is ever guessed.
Result<Json> CheckIsolation(Backend& backend, Backend* other_key, int prompts, std::uint64_t seed,
                            const RunContext& context);

}  // namespace helix::backend
