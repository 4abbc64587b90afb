#include "core/levers/concise.h"

#include <gtest/gtest.h>

namespace helix::levers {
namespace {

TEST(Concise, ComparesWithAHoldOutArm) {
  auto out =
      CompareAnswers({{100, "stop", true}, {100, "stop", true}}, {{40, "stop", true}, {60, "stop", true}});
  ASSERT_TRUE(out);
  EXPECT_TRUE((*out)["saving_counts"]);
  EXPECT_DOUBLE_EQ((*out)["output_share_saved"], 0.5);
}

TEST(Concise, ASavingThatLostAnAnswerOrWasCutDoesNotCount) {
  auto lost = CompareAnswers({{100, "stop", true}}, {{10, "stop", false}});
  EXPECT_FALSE((*lost)["saving_counts"]);
  EXPECT_TRUE((*lost)["output_share_saved"].is_null());
  EXPECT_FALSE((*CompareAnswers({{100, "stop", true}}, {{10, "max_tokens", true}}))["saving_counts"]);
  EXPECT_FALSE(CompareAnswers({{100, "stop", true}}, {}));
}

TEST(Concise, AModelThatSolvesNothingShowsNothing) {
  auto out = CompareAnswers({{100, "stop", false}}, {{10, "stop", false}});
  EXPECT_FALSE((*out)["saving_counts"]);
  EXPECT_TRUE((*out)["output_share_saved"].is_null());
  EXPECT_EQ((*out)["why"], "the hold-out arm has no right answer to lose");
}

TEST(Concise, ProfilesAreConstantText) {
  ASSERT_NE(FindConciseProfile("draft"), nullptr);
  EXPECT_EQ(FindConciseProfile("nothing"), nullptr);
}

}  // namespace
}  // namespace helix::levers
