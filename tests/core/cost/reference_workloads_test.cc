#include <gtest/gtest.h>

#include "core/cost/agent_loop.h"
#include "core/cost/usage_cost.h"
#include "tests/core/cost/rows.h"

namespace helix::cost {
namespace {

AgentLoop Loop(std::int64_t new_per_turn = 1500) {
  return {20000, new_per_turn, 500, 40};
}

TEST(ReferenceWorkloads, AnAgentLoopOnFourModels) {
  struct Case {
    const char* model;
    const char* uncached;
    const char* cached;
  };
  for (const Case& c :
       {Case{"claude-sonnet-4-6", "7.56", "1.369275"}, Case{"claude-opus-5-5", "10.08", "1.3616"},
        Case{"claude-sonnet-5-5", "5.04", "0.6808"}, Case{"claude-fable-5-1", "25.2", "2.823875"}}) {
    auto cost = PriceLoop(Loop(), Anthropic(c.model));
    EXPECT_EQ(ToText(cost.uncached), c.uncached) << c.model;
    EXPECT_EQ(ToText(cost.cached), c.cached) << c.model;
  }
}

TEST(ReferenceWorkloads, HalvingToolOutputsOnEntrySavesAFifth) {
  auto sonnet = Anthropic("claude-sonnet-4-6");
  double before = ToUsd(PriceLoop(Loop(), sonnet).cached);
  double after = ToUsd(PriceLoop(Loop(750), sonnet).cached);
  EXPECT_NEAR(after, 1.0813, 5e-5);
  EXPECT_NEAR(after / before - 1, -0.210, 5e-4);
  auto opus = Anthropic("claude-opus-5-5");
  EXPECT_NEAR(ToUsd(PriceLoop(Loop(750), opus).cached) / ToUsd(PriceLoop(Loop(), opus).cached) - 1, -0.196,
              5e-4);
}

TEST(ReferenceWorkloads, RewritingHistoryCostsMoreThanItSaves) {
  auto sonnet = Anthropic("claude-sonnet-4-6");
  AgentLoop once = Loop();
  once.rewrite = AgentLoop::Rewrite::kOnce;
  once.rewrite_turn = 21;
  EXPECT_EQ(ToText(PriceLoop(once, sonnet).cached), "1.50555");
  AgentLoop always = Loop();
  always.rewrite = AgentLoop::Rewrite::kEveryTurn;
  EXPECT_EQ(ToText(PriceLoop(always, sonnet).cached), "6.684");
}

TEST(ReferenceWorkloads, OneShotPromptsGainAlmostTheWholeRatio) {
  auto sonnet = Anthropic("claude-sonnet-4-6");
  auto cost = [&](std::int64_t in) { return ToText(CostOf(Additive(in, 0, 0, 0, 300), sonnet).total); };
  EXPECT_EQ(cost(30000), "0.0945");
  EXPECT_EQ(cost(15000), "0.0495");
  EXPECT_EQ(cost(10000), "0.0345");
  EXPECT_EQ(cost(6000), "0.0225");
  EXPECT_EQ(ToText(CostOf(Additive(30000, 0, 0, 0, 300), Anthropic("claude-opus-5-5")).total), "0.126");
}

TEST(ReferenceWorkloads, ARealDayOnDeepSeek) {
  const auto& table = PriceTable::BuiltIn();
  auto day = Additive(767616, 435033856, 0, 0, 179763);
  auto off_peak = *table.Find("deepseek", "deepseek-v4-flash", "2026-12-05T12:00:00Z", 1);
  auto peak = *table.Find("deepseek", "deepseek-v4-flash", "2026-12-01T02:00:00Z", 1);
  EXPECT_EQ(ToText(CostOf(day, off_peak).total), "1.528101768");
  EXPECT_EQ(ToText(CostWithoutCache(day, off_peak).total), "65.4780786");
  EXPECT_EQ(ToText(CostOf(day, peak).total), "3.056203536");
}

}  // namespace
}  // namespace helix::cost
