// What only several replies to the same prompt can show.
#pragma once
#include <vector>

#include "core/usage/usage.h"

namespace helix::usage {

// Sets flags on the last reply:
//   timing_suggests_hit  equal prompts, reuse not reported, and it took at most a third of the first one's
//   time write_without_read   equal prompts, each written, none read no_timing_gain       the same, and no
//   faster than 0.8 of the first
void CompareReplies(std::vector<Reply>& replies);

// Drops replies that repeat an earlier one (a session log writes one line per content block): same message id
// and request id. The later line's output count wins. Returns how many were dropped.
std::size_t DropRepeats(std::vector<Reply>& replies);

}  // namespace helix::usage
