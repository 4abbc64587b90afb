#include "core/equivalence/classifier.h"

#include <gtest/gtest.h>

#include "tests/core/equivalence/arms.h"

namespace helix::equivalence {
namespace {

using testing::Arm;
using testing::Compare;

const ArmOutput kFresh =
    Arm({{'a', {{'a', -0.1}, {'b', -2.5}, {'c', -4.0}}}, {'x', {{'x', -0.70}, {'y', -0.71}, {'z', -5}}}});

TEST(Classifier, CallsIdenticalArmsExact) {
  const Finding finding = Classify(Compare(kFresh, kFresh, 0));
  EXPECT_EQ(finding.cls, Class::kExact);
  EXPECT_TRUE(finding.bit_equal);
  EXPECT_FALSE(finding.divergence);
}

TEST(Classifier, SeesCorruptionInLogProbabilitiesWhenAllTokensMatch) {
  ArmOutput cached = kFresh;
  cached.logprobs[0].top[0].logprob += 3e-4;
  const Finding finding = Classify(Compare(cached, kFresh, 0));
  EXPECT_EQ(finding.cls, Class::kCorruption);
  EXPECT_EQ(finding.rule, "logprobs_outside_control");
  EXPECT_FALSE(finding.divergence);
}

TEST(Classifier, CallsTheSameDistanceExactWhereTheControlIsAsNoisy) {
  ArmOutput cached = kFresh;
  cached.logprobs[0].top[0].logprob += 3e-4;
  const Finding finding = Classify(Compare(cached, kFresh, 1e-4));
  EXPECT_EQ(finding.cls, Class::kExact);
  EXPECT_FALSE(finding.bit_equal);
}

TEST(Classifier, CallsASwapWithinTheControlANearTie) {
  const ArmOutput cached = Arm(
      {{'a', {{'a', -0.101}, {'b', -2.5}, {'c', -4.0}}}, {'y', {{'y', -0.703}, {'x', -0.706}, {'z', -5}}}});
  const Finding finding = Classify(Compare(cached, kFresh, 4e-3));
  EXPECT_EQ(finding.cls, Class::kNearTie);
  ASSERT_TRUE(finding.divergence);
  EXPECT_EQ(finding.divergence->index, 1U);
  EXPECT_EQ(finding.divergence->swapped, true);
}

TEST(Classifier, CallsTheSameSwapCorruptionWhereTheControlIsExact) {
  const ArmOutput cached =
      Arm({{'a', {{'a', -0.1}, {'b', -2.5}, {'c', -4.0}}}, {'y', {{'y', -0.703}, {'x', -0.706}, {'z', -5}}}});
  EXPECT_EQ(Classify(Compare(cached, kFresh, 0)).cls, Class::kCorruption);
}

TEST(Classifier, NeverPassesWhatLiesBetweenTheRules) {
  const ArmOutput cached = Arm(
      {{'a', {{'a', -0.1}, {'b', -2.5}, {'c', -4.0}}}, {'y', {{'y', -0.700}, {'x', -0.7055}, {'z', -5.0}}}});
  const Finding finding = Classify(Compare(cached, kFresh, 1.2e-3));
  EXPECT_EQ(finding.cls, Class::kAmbiguous);
  EXPECT_STREQ(VerdictOf(finding.cls), "INCONCLUSIVE");
}

TEST(Classifier, CallsAMissingFreshTokenCorruption) {
  const ArmOutput cached =
      Arm({{'a', {{'a', -0.1}, {'b', -2.5}, {'c', -4.0}}}, {'q', {{'q', -0.7}, {'r', -0.8}, {'z', -5}}}});
  const Finding finding = Classify(Compare(cached, kFresh, 0.5));
  EXPECT_EQ(finding.cls, Class::kCorruption);
  EXPECT_EQ(finding.rule, "fresh_token_missing");
}

TEST(Classifier, TellsACarriedSamplerFromACorruptedCache) {
  ArmOutput cached = kFresh;
  cached.tokens[1] = 'z';
  const Finding finding = Classify(Compare(cached, kFresh, 0));
  EXPECT_EQ(finding.cls, Class::kCorruption);
  EXPECT_EQ(finding.rule, "sampler");
}

TEST(Classifier, NeverBlamesTheCacheWhenFreshDiffersFromFresh) {
  Comparison in = Compare(Arm({{'q', {{'q', -0.1}, {'r', -9}}}}), kFresh, 0);
  in.fresh_again->tokens[1] = 'y';
  EXPECT_EQ(Classify(in).cls, Class::kNondeterministicBaseline);
}

TEST(Classifier, CallsEqualTextWithoutTokenIdsUnknown) {
  Comparison in = Compare(kFresh, kFresh, 0);
  in.cached.has_token_ids = false;
  EXPECT_EQ(Classify(in).cls, Class::kUnknown);
}

TEST(Classifier, CallsAnAnswerThatStopsEarlyAtAClearLeadCorruption) {
  Comparison in = Compare(Arm({{'a', {{'a', -0.1}, {'b', -2.5}}}}), kFresh, 0);
  in.cached.finish = "stop";
  EXPECT_EQ(Classify(in).cls, Class::kCorruption);
  in.cached.finish = "length";
  EXPECT_EQ(Classify(in).rule, "length_differs");
}

TEST(Classifier, DoesNotPassEqualTokensWithAnotherFinish) {
  Comparison in = Compare(kFresh, kFresh, 0);
  in.cached.finish = "stop";
  EXPECT_EQ(Classify(in).cls, Class::kAmbiguous);
}

TEST(Classifier, DoesNotPassADistanceThatNoControlMeasured) {
  Comparison in = Compare(kFresh, kFresh, 0);
  in.cached.logprobs[1].top[1].logprob += 1e-2;
  in.control_noise.reset();
  EXPECT_EQ(Classify(in).rule, "no_control");
  EXPECT_EQ(Classify(in).cls, Class::kAmbiguous);
}

TEST(LogprobDistance, CountsATokenThatOnlyOneListHolds) {
  const ArmOutput a = Arm({{'a', {{'a', -0.1}, {'b', -1.0}}}});
  const ArmOutput b = Arm({{'a', {{'a', -0.1}, {'c', -3.0}}}});
  EXPECT_DOUBLE_EQ(DeltaAt(a.logprobs[0], b.logprobs[0]).value(), 2.0);
}

TEST(LogprobDistance, IsAbsentWithoutLogProbabilities) {
  EXPECT_FALSE(DeltaAt({}, {}).has_value());
  EXPECT_FALSE(DistanceSample().Summary().has_value());
}

TEST(Divergence, ShowsTheTokensAroundItAndTheNearestBoundaries) {
  ArmOutput cached = kFresh;
  cached.tokens[1] = 'y';
  PromptMap map;
  map.prompt_tokens = 130;
  map.reused_tokens = 128;
  map.ubatch = 64;
  map.turn_starts = {0, 120};
  const auto at = FindDivergence(cached, kFresh, map);
  ASSERT_TRUE(at);
  const Json json = ToJson(*at);
  EXPECT_EQ(json["index"], 1);
  EXPECT_EQ(json["position"], 131);
  EXPECT_EQ(json["before"][0]["piece"], "a");
  EXPECT_EQ(json["cached_continuation"][0]["id"], 'y');
  EXPECT_EQ(json["nearest_boundaries"][0], (Json{{"kind", "reuse_end"}, {"position", 128}, {"distance", 3}}));
  EXPECT_EQ(json["nearest_boundaries"][1], (Json{{"kind", "ubatch"}, {"position", 128}, {"distance", 3}}));
  EXPECT_EQ(json["nearest_boundaries"][2], (Json{{"kind", "turn"}, {"position", 120}, {"distance", 11}}));
}

TEST(ArmOutput, EscapesEveryByteThatIsNotPrintable) {
  EXPECT_EQ(EscapePiece("a\n\\\x01\xc3\xa9"), "a\\n\\\\\\x01\\xc3\\xa9");
}

}  // namespace
}  // namespace helix::equivalence
