// What one reply says about the cache.
#pragma once
#include "core/base/json.h"

namespace helix::consistency {

// `input` is a reply as the server sent it, or facts about one: {"usage", "backend",
// "request_has_cache_control", "prefix_tokens", "model_min", "shared_prefix_tokens", "block_size",
// "metrics_delta": {"queries","hits"}}. A single reply seldom settles a cause: UNCONFIRMED says what is
// missing.
Json DiagnoseReply(const Json& input);

// A hit is a share of what was to be expected, never a count above zero: reuse below this share of the
// expected prefix (or of the prompt) is trivial (a BOS token, a chat template's first words).
inline constexpr double kTrivialShare = 0.05;

}  // namespace helix::consistency
