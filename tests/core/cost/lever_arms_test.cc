#include "core/cost/lever_arms.h"

#include <gtest/gtest.h>

#include "tests/core/cost/rows.h"

namespace helix::cost {
namespace {

LeverInput Loop() {
  LeverInput input;
  input.static_tokens = 20000;
  input.turns.assign(40, {1500, 750, 500});
  input.gates_passed = true;
  return input;
}

TEST(LeverArms, GiveTheReferenceWorkloadsValues) {
  auto arms = CompareLevers(Loop(), Anthropic("claude-sonnet-4-6"));
  EXPECT_EQ(ToText(arms.off), "7.56");
  EXPECT_EQ(ToText(arms.cached), "1.369275");
  EXPECT_NEAR(ToUsd(arms.compressed_cached), 1.0813, 5e-5);
  EXPECT_EQ(ToText(arms.saved_by_provider), "6.190725");
}

TEST(LeverArms, RecompressingHistoryEveryTurnIsDearerThanPlainCaching) {
  auto arms = CompareLevers(Loop(), Anthropic("claude-sonnet-4-6"));
  EXPECT_TRUE(arms.control_is_dearer);
  EXPECT_GT(ToUsd(arms.recompressed_history), 2 * ToUsd(arms.cached));
}

TEST(LeverArms, AFailedGateSavesNothing) {
  LeverInput input = Loop();
  input.gates_passed = false;
  auto arms = CompareLevers(input, Anthropic("claude-sonnet-4-6"));
  EXPECT_EQ(arms.net_saving.count, 0);
  EXPECT_NE(arms.headline.find("gate"), std::string::npos);
}

TEST(LeverArms, NoTokenRatioIsHeadlinedWhenTheCostRose) {
  LeverInput input = Loop();
  input.overhead_tokens = 1500;
  input.extra_turns = 12;
  auto arms = CompareLevers(input, Anthropic("claude-sonnet-4-6"));
  EXPECT_LT(arms.net_saving.count, 0);
  EXPECT_TRUE(arms.headline.starts_with("No saving"));
  EXPECT_EQ(arms.headline.find('%'), std::string::npos);
}

TEST(LeverArms, TheCompressorsOwnCostIsCounted) {
  LeverInput input = Loop();
  auto without = CompareLevers(input, Anthropic("claude-sonnet-4-6"));
  input.compressor_cost = FromUsd(0.1);
  auto with = CompareLevers(input, Anthropic("claude-sonnet-4-6"));
  EXPECT_EQ(ToText(without.net_saving - with.net_saving), "0.1");
}

}  // namespace
}  // namespace helix::cost
