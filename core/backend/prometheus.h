// Prometheus text exposition (format 0.0.4) as JSON: {"llamacpp:prompt_tokens_total": 12, ...}. A series with
// labels keeps them in its key as they were written; comments, timestamps and samples that are not finite are
// left out.
#pragma once
#include <string_view>

#include "core/base/json.h"

namespace helix::backend {

Json ParsePrometheus(std::string_view text);

// after - before, for every counter both hold; a counter that went down (a restart) is left out.
Json CounterDeltas(const Json& before, const Json& after);

}  // namespace helix::backend
