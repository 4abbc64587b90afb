// What a row of replies says about the cache.
#pragma once
#include "core/base/json.h"

namespace helix::consistency {

// `input` as ReadReplyTrace takes it, with optional facts: backend, ttl_s, gap_s, prefix_equal.
Json DiagnoseReplyTrace(const Json& input);

}  // namespace helix::consistency
