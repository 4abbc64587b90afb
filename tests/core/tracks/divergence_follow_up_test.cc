#include "core/tracks/divergence_follow_up.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_backend.h"

namespace helix::tracks {
namespace {

using experiment::Arm;
using experiment::Sample;
using fakes::ToyBackend;
using fakes::ToyOptions;

constexpr int kOutput = 16;

experiment::Workload OnePair() {
  experiment::PairPrompt pair;
  for (int i = 0; i < 40; ++i) pair.prompt.push_back((i * 11 + 3) % fakes::kToyVocabulary);
  pair.prefix_tokens = 32;
  experiment::Workload out;
  out.pairs = {pair};
  return out;
}

Sample Timed(Arm arm, std::vector<backend::TokenId> tokens) {
  Sample out;
  out.call = {arm, 0, false};
  out.reply.tokens = std::move(tokens);
  out.reply.has_token_ids = true;
  return out;
}

// Timed calls whose answers parted at the first token.
std::vector<Sample> Parted() {
  return {Timed(Arm::kOff, std::vector<backend::TokenId>(kOutput, 1)),
          Timed(Arm::kOn, std::vector<backend::TokenId>(kOutput, 2))};
}

Result<std::vector<FollowUp>> Follow(const ToyOptions& toy, const std::vector<Sample>& samples,
                                     const RunContext& context = {}) {
  ToyBackend backend(toy);
  return FollowUpDivergences(backend, OnePair(), samples, {}, context);
}

TEST(DivergenceFollowUp, CallsAWrongCacheCorruptionWithItsLogProbabilities) {
  ToyOptions toy;
  toy.mutant = fakes::ToyMutant::kWrongSlot;
  const auto followed = Follow(toy, Parted());
  ASSERT_TRUE(followed);
  ASSERT_EQ(followed->size(), 1U);
  EXPECT_EQ(followed->front().finding.cls, equivalence::Class::kCorruption)
      << followed->front().finding.reason;
  EXPECT_EQ(followed->front().control_noise, 0);
  EXPECT_EQ(followed->front().evidence.size(), 6U);
}

TEST(DivergenceFollowUp, StaysUndecidedWhereTheDivergenceDoesNotComeBack) {
  const auto followed = Follow({}, Parted());
  ASSERT_TRUE(followed);
  ASSERT_EQ(followed->size(), 1U);
  EXPECT_EQ(followed->front().finding.cls, equivalence::Class::kAmbiguous);
  EXPECT_EQ(followed->front().finding.rule, "not_reproduced");
}

TEST(DivergenceFollowUp, DoesNotBlameACacheThatWasNotUsed) {
  ToyOptions toy;
  toy.mutant = fakes::ToyMutant::kWrongSlot;
  toy.ignores_the_switch = true;
  const auto followed = Follow(toy, Parted());
  ASSERT_TRUE(followed);
  ASSERT_EQ(followed->size(), 1U);
  EXPECT_EQ(followed->front().finding.cls, equivalence::Class::kUnknown);
  EXPECT_EQ(followed->front().finding.rule, "fresh_was_cached");
}

TEST(DivergenceFollowUp, KeepsNothingOfAPrivateText) {
  ToyOptions toy;
  toy.mutant = fakes::ToyMutant::kWrongSlot;
  ToyBackend backend(toy);
  experiment::Workload workload = OnePair();
  workload.private_text = true;
  int kept = 0;
  const auto followed = FollowUpDivergences(backend, workload, Parted(),
                                            [&kept](const std::string&) -> Result<std::string> {
                                              ++kept;
                                              return std::string("digest");
                                            },
                                            {});
  ASSERT_TRUE(followed);
  ASSERT_EQ(followed->size(), 1U);
  EXPECT_EQ(kept, 0);
  EXPECT_TRUE(followed->front().evidence.empty());
  EXPECT_FALSE(ToJson(followed->front())["first_divergence"].contains("cached_continuation"));
}

TEST(DivergenceFollowUp, AsksNothingWhereTheAnswersAgree) {
  const std::vector<backend::TokenId> same(kOutput, 1);
  const auto followed = Follow({}, {Timed(Arm::kOff, same), Timed(Arm::kOn, same)});
  ASSERT_TRUE(followed);
  EXPECT_TRUE(followed->empty());
}

TEST(DivergenceFollowUp, StopsWhenCancelled) {
  std::stop_source stop;
  stop.request_stop();
  RunContext context;
  context.stop = stop.get_token();
  const auto followed = Follow({}, Parted(), context);
  ASSERT_FALSE(followed);
  EXPECT_EQ(followed.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace helix::tracks
