// What a server's native routes can do, by one small request each: token ids in and out, prefill time,
// tokenizer.
#pragma once
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/run_context.h"

namespace helix::consistency {

struct NativeProbe {
  bool token_ids_in = false;
  bool token_ids_out = false;
  bool prefill_time = false;
  bool tokenizer = false;
  bool metrics = false;
  std::optional<int> block_size;
  Json cold_methods = Json::array();  // best first; empty: a cold call is refused
};

// `kind` as IdentifyServer gives it. A route that does not answer as it should leaves its capability false.
NativeProbe ProbeNative(const std::string& kind, const std::string& base_url, const std::string& api_key,
                        const std::string& model, const RunContext& context);

// Whether a hit crosses salts, or from one API key to another (`other_key` empty: not asked): see
// backend/capability_probe.h. kUnavailable where the server does not report reuse.
Result<Json> ProbeIsolation(const std::string& kind, const std::string& base_url, const std::string& api_key,
                            const std::string& other_key, const std::string& model, std::uint64_t seed,
                            const RunContext& context);

}  // namespace helix::consistency
