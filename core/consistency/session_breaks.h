// Where the reuse of a conversation broke, and what it cost.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/consistency/session_turn.h"
#include "core/cost/prices.h"

namespace helix::consistency {

struct SessionBreak {
  std::size_t turn = 0;  // index into the turns
  std::int64_t held =
      0;  // tokens the turn before left in the cache, at least: what it counted as read or written
  std::int64_t read = 0;
  std::int64_t lost = 0;  // held - read
  std::string
      verdict;  // MODEL_CHANGED, TTL_EXPIRED, HISTORY_REWRITTEN, BREAKPOINT_NOT_ADVANCING, UNCONFIRMED
  std::string fact;
  std::optional<cost::Money>
      cost;  // of writing the lost tokens again instead of reading them; absent: no price known
};

// `turns` in time order within each session; sidechains are conversations of their own. A log holds no
// bodies, so a cause that the counters and times do not show is UNCONFIRMED.
std::vector<SessionBreak> FindBreaks(const std::vector<SessionTurn>& turns, const cost::PriceTable& prices);

}  // namespace helix::consistency
