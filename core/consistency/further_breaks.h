// What else would break reuse once the first break is mended.
#pragma once
#include "core/base/json.h"
#include "core/consistency/cause.h"
#include "core/consistency/first_divergence.h"
#include "core/consistency/request_body.h"

namespace helix::consistency {

// Mends one break after another in a copy of b, from the known first one on, and lists the rest:
// [{"verdict","first_divergence","detector","fact", "setting"}], in order, at most eight. Ends at a break
// that cannot be mended alone (a rewritten history).
Json FurtherBreaks(const RequestBody& a, const RequestBody& b, const Divergence& first, const Cause& why);

}  // namespace helix::consistency
