// Why two histories differ at a message.
#pragma once
#include "core/consistency/cause.h"
#include "core/consistency/first_divergence.h"

namespace helix::consistency {

// One of the history verdicts, a VOLATILE_* one for a clock or id in a system or user text, SYSTEM_CHANGED
// for a leading system message, BREAKPOINT_ON_VOLATILE when the last cache_control of a stands on the block
// that changed. `at` is the first difference in the messages part.
Cause ExplainHistoryChange(const RequestBody& a, const RequestBody& b, const Divergence& at);

}  // namespace helix::consistency
