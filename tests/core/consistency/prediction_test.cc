#include "core/consistency/prediction.h"

#include <gtest/gtest.h>

#include <numeric>

namespace helix::consistency {
namespace {

ReuseQuestion Ask(ReuseRule rule, std::int64_t prompt, std::int64_t common, std::int64_t block = 1) {
  ReuseQuestion question;
  question.rule = rule;
  question.prompt = prompt;
  question.common = common;
  question.block = block;
  return question;
}

TEST(Prediction, LlamaServerReusesTheWholeCommonPrefixButEvaluatesOneToken) {
  EXPECT_EQ(PredictReuse(Ask(ReuseRule::kToken, 120, 100)).low, 100);
  EXPECT_EQ(PredictReuse(Ask(ReuseRule::kToken, 96, 96)).low, 95);
  EXPECT_EQ(PredictReuse(Ask(ReuseRule::kToken, 1, 1)).low, 0);
}

TEST(Prediction, VllmReusesFullBlocksAndEvaluatesTheLastToken) {
  EXPECT_EQ(PredictReuse(Ask(ReuseRule::kBlocks, 120, 100, 16)).low, 96);
  EXPECT_EQ(PredictReuse(Ask(ReuseRule::kBlocks, 96, 96, 16)).low, 80);
  EXPECT_EQ(PredictReuse(Ask(ReuseRule::kBlocks, 97, 96, 16)).low, 96);
  EXPECT_EQ(PredictReuse(Ask(ReuseRule::kBlocks, 40, 15, 16)).low, 0);
}

TEST(Prediction, HybridMarkersAndStepsFollowTheirOwnRules) {
  ReuseQuestion hybrid = Ask(ReuseRule::kHybridBlocks, 5000, 4000, 832);
  hybrid.earlier_prompt = 4000;
  EXPECT_EQ(PredictReuse(hybrid).low, 2496);
  ReuseQuestion marked = Ask(ReuseRule::kMarkers, 9000, 8000);
  marked.marked = 4000;
  EXPECT_EQ(PredictReuse(marked).low, 4000);
  marked.minimum = 4096;
  EXPECT_EQ(PredictReuse(marked).low, 0);
  const ReusePrediction steps = PredictReuse(Ask(ReuseRule::kSteps, 3000, 1500));
  EXPECT_EQ(steps.low, 0);
  EXPECT_EQ(steps.high, 1408);
  EXPECT_EQ(PredictReuse(Ask(ReuseRule::kSteps, 1023, 1023)).high, 0);
}

TEST(Prediction, UnknownCheckpointsGiveAnInterval) {
  ReuseQuestion swa = Ask(ReuseRule::kCheckpoints, 900, 700);
  EXPECT_FALSE(PredictReuse(swa).exact());
  swa.checkpoints = {256, 512, 768};
  EXPECT_EQ(PredictReuse(swa).low, 512);
}

TEST(Prediction, EachVerdictHasItsPlace) {
  const ReusePrediction exact{96, 96, 100, 16};
  EXPECT_EQ(JudgeReuse(exact, 96, false), ReuseVerdict::kMatch);
  EXPECT_EQ(JudgeReuse(exact, 80, false), ReuseVerdict::kUnder);
  EXPECT_EQ(JudgeReuse(exact, 112, false), ReuseVerdict::kOver);
  EXPECT_EQ(JudgeReuse(exact, 90, false), ReuseVerdict::kMisaligned);
  EXPECT_EQ(JudgeReuse(exact, 96, true), ReuseVerdict::kPhantom);
  EXPECT_EQ(JudgeReuse(exact, 0, true), ReuseVerdict::kMatch);
  EXPECT_EQ(JudgeReuse(exact, std::nullopt, false), ReuseVerdict::kUnknown);
  EXPECT_EQ(JudgeReuse({0, 1408, 1500, 128}, 1280, false), ReuseVerdict::kUnknown);
  EXPECT_EQ(JudgeReuse({95, 95, 96, 1}, 96, false), ReuseVerdict::kOver);
}

TEST(SlotModel, HoldsThePromptAndAllGeneratedTokensButTheLast) {
  std::vector<std::int32_t> prompt(500);
  std::iota(prompt.begin(), prompt.end(), 1);
  SlotModel slot;
  EXPECT_EQ(slot.Predict(prompt).low, 0);
  const std::vector<std::int32_t> answer = {9001, 9002, 9003, 9004, 9005, 9006, 9007, 9008};
  slot.Complete(prompt, answer);
  EXPECT_EQ(slot.Predict(prompt).low, 499);
  std::vector<std::int32_t> next = prompt;
  next.insert(next.end(), answer.begin(), answer.end());
  next.insert(next.end(), {1, 2, 3, 4, 5});
  EXPECT_EQ(slot.Predict(next).low, 507);
  slot.Flush();
  EXPECT_TRUE(slot.empty());
}

TEST(ReuseRule, IsFoundByTheNameOfTheBackend) {
  EXPECT_EQ(*ReuseRuleFor("vllm"), ReuseRule::kBlocks);
  EXPECT_FALSE(ReuseRuleFor("nobody"));
}

}  // namespace
}  // namespace helix::consistency
