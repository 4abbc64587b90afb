#include "core/cost/agent_loop.h"

#include "core/cost/usage_cost.h"

namespace helix::cost {
namespace {

Measured<Tokens> Modelled(std::int64_t tokens) {
  return {Tokens{tokens}, Origin::kEstimated};
}

bool Rewrites(const AgentLoop& loop, int turn) {
  if (turn == 1) return false;
  return loop.rewrite == AgentLoop::Rewrite::kEveryTurn ||
         (loop.rewrite == AgentLoop::Rewrite::kOnce && turn == loop.rewrite_turn);
}

}  // namespace

std::vector<usage::Usage> Turns(const AgentLoop& loop) {
  std::vector<usage::Usage> turns;
  std::int64_t sent_before = 0;
  for (int turn = 1; turn <= loop.turns; ++turn) {
    std::int64_t whole = turn == 1 ? loop.static_tokens + loop.new_per_turn
                                   : sent_before + loop.out_per_turn + loop.new_per_turn;
    std::int64_t read = Rewrites(loop, turn) ? loop.static_tokens : sent_before;
    usage::Usage usage;
    usage.in_total = Modelled(whole);
    usage.in_uncached = Modelled(0);
    usage.cache_read = Modelled(read);
    usage.cache_write_5m = Modelled(whole - read);
    usage.cache_write_1h = Modelled(0);
    usage.out_total = Modelled(loop.out_per_turn);
    turns.push_back(std::move(usage));
    sent_before = whole;
  }
  return turns;
}

LoopCost PriceLoop(const AgentLoop& loop, const PriceRow& prices) {
  LoopCost sum;
  for (const auto& turn : Turns(loop)) {
    sum.cached += CostOf(turn, prices).total;
    sum.uncached += CostWithoutCache(turn, prices).total;
  }
  return sum;
}

}  // namespace helix::cost
