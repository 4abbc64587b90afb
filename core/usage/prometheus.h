// Cache counters from a server's metrics page (Prometheus text format 0.0.4).
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/usage/usage.h"

namespace helix::usage {

bool LooksLikePrometheus(std::string_view text);

// Totals over the server's life so far, all labels summed, with the flag since_start: never one reply's
// usage. Two readings must be subtracted for that. Knows vllm:, sglang: and llamacpp: names; nullopt for
// others.
std::optional<Reply> ReadPrometheus(std::string_view text);

}  // namespace helix::usage
