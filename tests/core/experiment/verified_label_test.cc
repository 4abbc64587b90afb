#include "core/experiment/verified_label.h"

#include <gtest/gtest.h>

namespace helix::experiment {
namespace {

Verified Of(Arm arm, std::int64_t cached, bool traffic = false) {
  LabelFacts facts;
  facts.cached_tokens = {cached, Origin::kServer};
  facts.expected_cached = UsesCache(arm) && arm != Arm::kControl ? 512 : 0;
  facts.prefix_tokens = 512;
  facts.cold_allowance = 1;
  facts.other_traffic = traffic;
  return Verify(arm, facts);
}

TEST(VerifiedLabel, ColdArmIsColdOnlyByItsOwnCounter) {
  EXPECT_EQ(Of(Arm::kOff, 0), Verified::kCold);
  EXPECT_EQ(Of(Arm::kOff, 1), Verified::kCold) << "the start token is allowed";
  EXPECT_EQ(Of(Arm::kOff, 2), Verified::kContaminated);
  EXPECT_EQ(Of(Arm::kOffAa, 255), Verified::kContaminated);
  EXPECT_EQ(Of(Arm::kOff, 256), Verified::kMislabelled);
}

TEST(VerifiedLabel, WarmArmIsWarmFromNinetyFivePercentOfThePrefix) {
  EXPECT_EQ(Of(Arm::kOn, 512), Verified::kWarm);
  EXPECT_EQ(Of(Arm::kOn, 487), Verified::kWarm);
  EXPECT_EQ(Of(Arm::kOn, 486), Verified::kContaminated);
  EXPECT_EQ(Of(Arm::kOn, 255), Verified::kMislabelled);
  EXPECT_EQ(Of(Arm::kOn, 1), Verified::kMislabelled) << "reusing one token is not a warm cache";
  EXPECT_EQ(Of(Arm::kOn, 0), Verified::kMislabelled);
}

TEST(VerifiedLabel, ControlMustReuseNothing) {
  EXPECT_EQ(Of(Arm::kControl, 0), Verified::kCold);
  EXPECT_EQ(Of(Arm::kControl, 400), Verified::kMislabelled);
}

TEST(VerifiedLabel, ProvesNothingWithoutACounterOrWithOtherTraffic) {
  EXPECT_EQ(Verify(Arm::kOn, {}), Verified::kInferred);
  EXPECT_EQ(Verify(Arm::kOff, {}), Verified::kInferred);
  EXPECT_EQ(Of(Arm::kOff, 0, true), Verified::kContaminated);
}

TEST(VerifiedLabel, ArmIsAsGoodAsItsWorstCall) {
  EXPECT_EQ(Worst({Verified::kWarm, Verified::kWarm}), Verified::kWarm);
  EXPECT_EQ(Worst({Verified::kWarm, Verified::kInferred}), Verified::kInferred);
  EXPECT_EQ(Worst({Verified::kContaminated, Verified::kMislabelled, Verified::kWarm}),
            Verified::kMislabelled);
  EXPECT_EQ(Worst({}), Verified::kInferred);
}

}  // namespace
}  // namespace helix::experiment
