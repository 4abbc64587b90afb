// What a local server can do, found out by asking it; a known-warm pair of requests proves that reuse can be
// seen at all before anything is said about it.
#pragma once
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"

namespace helix::consistency {

struct ProbeOptions {
  std::string base_url;    // checked against the endpoint policy
  std::string api_key;     // may be empty
  std::string model;       // empty: the first that the server names
  std::uint64_t seed = 1;  // of the prompt's words
  bool isolation = false;  // also send random prompts under several salts
  std::string other_key;   // with `isolation`: another API key of the same server; may be empty
};

// A handful of small requests; they evict whatever a slot held. Result: {"verdict", "kind", "version",
// "model", "cached_count", "zero_is_reported", "token_ids_in", "token_ids_out", "prefill_time", "tokenizer",
// "metrics", "granularity", "cold_methods", "reporting_flag", "totals": {...}, "needle": {...}, "notes",
// "isolation"}. What was asked for and not answered is false. Verdicts: OK_PARTIAL_HIT (the pair's hit was
// seen), REPORTING_OFF, REPORTING_OFF_TIMING_SUGGESTS_HIT, CACHE_NOT_FUNCTIONING (reported, and the pair
// shows none), TARGET_IS_POST_ONLY_PROXY; a SKIP (server_unreachable) when nothing answers. kProtocol when no known
// interface does.
Result<Json> ProbeBackend(const ProbeOptions& options, const RunContext& context);

}  // namespace helix::consistency
