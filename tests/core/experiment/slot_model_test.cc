#include "core/experiment/slot_model.h"

#include <gtest/gtest.h>

namespace helix::experiment {
namespace {

TEST(SlotModel, ExpectsNothingBeforeTheFirstCall) {
  const SlotModel slot(1);
  EXPECT_EQ(slot.Expected({1, 2, 3}), 0);
  EXPECT_EQ(slot.LongestSeen({1, 2, 3}), 0);
  EXPECT_EQ(slot.Expected({}), 0);
}

TEST(SlotModel, ExpectsTheSharedPrefixAndAlwaysOneTokenComputedAgain) {
  SlotModel slot(1);
  slot.Finished({1, 2, 3, 4}, {9, 8});
  EXPECT_EQ(slot.Expected({1, 2, 3, 4}), 3);
  EXPECT_EQ(slot.Expected({1, 2, 7}), 2);
  EXPECT_EQ(slot.Expected({1, 2, 3, 4, 9, 8, 5}), 5) << "the last generated token is not in the cache";
}

TEST(SlotModel, ForgetsTheContentAfterAFailureButNotWhatWasSeen) {
  SlotModel slot(1);
  slot.Finished({1, 2, 3, 4}, {});
  slot.Failed({1, 2, 9});
  EXPECT_EQ(slot.Expected({1, 2, 3, 4}), 0);
  EXPECT_EQ(slot.LongestSeen({1, 2, 3, 4}), 4);
}

TEST(SlotModel, CountsWholeBlocksOnly) {
  SlotModel slot(16);
  std::vector<TokenId> prompt(40, 7);
  slot.Finished(prompt, {});
  EXPECT_EQ(slot.Expected(prompt), 32);
  prompt.resize(32);
  EXPECT_EQ(slot.Expected(prompt), 16) << "31 tokens may be reused, one whole block of them";
}

TEST(SlotModel, RemembersEveryPromptOfTheRun) {
  SlotModel slot(1);
  slot.Finished({1, 2, 3}, {});
  slot.Finished({5, 6}, {});
  EXPECT_EQ(slot.Expected({1, 2, 3, 4}), 0);
  EXPECT_EQ(slot.LongestSeen({1, 2, 3, 4}), 3);
}

}  // namespace
}  // namespace helix::experiment
