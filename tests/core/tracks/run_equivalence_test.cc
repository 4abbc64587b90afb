#include "core/tracks/run_equivalence.h"

#include <gtest/gtest.h>

namespace helix::tracks {
namespace {

using experiment::Arm;
using experiment::Sample;

Sample Call(Arm arm, int pair, std::vector<backend::TokenId> tokens) {
  Sample sample;
  sample.call = {arm, pair, false};
  sample.seq = pair * 10 + static_cast<int>(arm);
  sample.prompt_sha256 = "p" + std::to_string(pair);
  sample.raw_sha256 = "r" + std::to_string(sample.seq);
  sample.reply.tokens = std::move(tokens);
  sample.reply.has_token_ids = !sample.reply.tokens.empty();
  sample.reply.output_tokens = {static_cast<std::int64_t>(sample.reply.tokens.size()), Origin::kServer};
  sample.reply.prompt_tokens = {600, Origin::kServer};
  sample.reply.cached_tokens = {arm == Arm::kOn ? 512 : 0, Origin::kServer};
  sample.reply.text = "x";
  sample.reply.finish = "length";
  return sample;
}

std::vector<backend::TokenId> Tokens(int start) {
  std::vector<backend::TokenId> tokens;
  for (int i = 0; i < 20; ++i) tokens.push_back(start + i * 7 % 31);
  return tokens;
}

std::vector<Sample> PairOf(int pair, int off, int on, int again, int control) {
  return {Call(Arm::kOff, pair, Tokens(off)), Call(Arm::kOn, pair, Tokens(on)),
          Call(Arm::kOffAa, pair, Tokens(again)), Call(Arm::kControl, pair, Tokens(control))};
}

TEST(RunEquivalence, EqualAnswersAndANoticedControlAreExact) {
  const RunEquivalence got = EquivalenceOf(PairOf(1, 5, 5, 5, 90));
  EXPECT_EQ(got.result["class"], "EXACT");
  EXPECT_EQ(got.report["claim"], "token_identical");
  EXPECT_EQ(got.report["pairs"].size(), 1U);
  EXPECT_EQ(got.result["negative_controls"][0]["detected"], true);
}

TEST(RunEquivalence, WithoutANoticedControlNothingIsClaimed) {
  EXPECT_EQ(EquivalenceOf(PairOf(1, 5, 5, 5, 5)).report["claim"], "none");
  auto without = PairOf(1, 5, 5, 5, 90);
  without.pop_back();
  const RunEquivalence got = EquivalenceOf(without);
  EXPECT_EQ(got.report["claim"], "none");
  EXPECT_FALSE(got.report.contains("negative_controls"));
}

TEST(RunEquivalence, ADifferentAnswerIsCountedWithItsPlace) {
  const RunEquivalence got = EquivalenceOf(PairOf(1, 5, 6, 5, 90));
  EXPECT_NE(got.result["class"], "EXACT");
  EXPECT_EQ(got.result["first_divergence"], 0);
  EXPECT_EQ(got.report["claim"], "none");
}

TEST(RunEquivalence, AServerThatDisagreesWithItselfIsNotBlamedOnTheCache) {
  EXPECT_EQ(EquivalenceOf(PairOf(1, 5, 6, 7, 90)).result["class"], "NONDETERMINISTIC_BASELINE");
}

TEST(RunEquivalence, APairThatWasAskedAgainHasThatClassWhateverItsTimedCallsProve) {
  auto samples = PairOf(1, 5, 6, 5, 90);
  samples[2].raw_sha256 = samples[0].raw_sha256;  // one stored response twice: no evidence by itself
  EXPECT_EQ(EquivalenceOf(samples).result["class"], "UNKNOWN");
  FollowUp again;
  again.pair = 1;
  again.finding.cls = equivalence::Class::kCorruption;
  const RunEquivalence got = EquivalenceOf(samples, {again});
  EXPECT_EQ(got.result["class"], "CORRUPTION");
  EXPECT_EQ(got.result["followed_up"][0]["pair"], 1);
  EXPECT_EQ(got.report["followed_up"], got.result["followed_up"]);
}

TEST(RunEquivalence, WithoutIdsItIsUnknown) {
  auto samples = PairOf(1, 5, 5, 5, 90);
  for (Sample& sample : samples) {
    sample.reply.tokens.clear();
    sample.reply.has_token_ids = false;
  }
  const RunEquivalence got = EquivalenceOf(samples);
  EXPECT_EQ(got.result["class"], "UNKNOWN");
  EXPECT_TRUE(got.report["pairs"].empty());
}

TEST(RunEquivalence, WarmUpAndUnfinishedCallsAreNotCompared) {
  auto samples = PairOf(1, 5, 5, 5, 90);
  for (Sample& sample : samples) sample.call.warmup = true;
  EXPECT_TRUE(EquivalenceOf(samples).result["class"].is_null());
  auto failed = PairOf(1, 5, 5, 5, 90);
  failed[1].status = experiment::SampleStatus::kError;
  EXPECT_TRUE(EquivalenceOf(failed).result["class"].is_null());
}

}  // namespace
}  // namespace helix::tracks
