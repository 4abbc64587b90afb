// Is this endpoint a llama-server, and is its address right?
#pragma once
#include <optional>

#include "core/base/json.h"

namespace helix::consistency {

// BASE_URL_DOUBLE_V1, TARGET_IS_POST_ONLY_PROXY or TARGET_NOT_LLAMA_SERVER from what the endpoint answered;
// nullopt when the answers show nothing of the kind. {"status":"ok"} is what gateways answer too: identity is
// GET /props with total_slots or default_generation_settings.
std::optional<Json> DiagnoseTarget(const Json& facts);

}  // namespace helix::consistency
