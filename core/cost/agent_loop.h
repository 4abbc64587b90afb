// A reference workload: an agent that resends its growing history every turn, with a marker at the end. Turn
// 1 writes everything; a later turn reads all that was sent before and writes what is new (the last answer
// and the new input).
#pragma once
#include <cstdint>
#include <vector>

#include "core/cost/money.h"
#include "core/cost/prices.h"
#include "core/usage/usage.h"

namespace helix::cost {

struct AgentLoop {
  std::int64_t static_tokens = 0;  // system and tools
  std::int64_t new_per_turn = 0;
  std::int64_t out_per_turn = 0;
  int turns = 0;
  enum class Rewrite {
    kNever,
    kOnce,
    kEveryTurn
  } rewrite = Rewrite::kNever;  // history only; static stays cached
  int rewrite_turn = 0;         // for kOnce, from 1
};

// Usage of each turn as a provider that caches perfectly would report it.
std::vector<usage::Usage> Turns(const AgentLoop& loop);

struct LoopCost {
  Money cached;
  Money uncached;
};
LoopCost PriceLoop(const AgentLoop& loop, const PriceRow& prices);

}  // namespace helix::cost
