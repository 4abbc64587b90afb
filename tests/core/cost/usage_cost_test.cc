#include "core/cost/usage_cost.h"

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "core/usage/usage_document.h"
#include "tests/core/cost/rows.h"

namespace helix::cost {
namespace {

std::string CostText(const usage::Usage& usage, const PriceRow& row) {
  return ToText(CostOf(usage, row).total);
}

usage::Usage Parsed(const std::string& usage_object) {
  return usage::ReadUsageDocument("{\"usage\":" + usage_object + "}")->last().usage;
}

TEST(UsageCost, F1WritesAreNotChargedAgainAsInput) {
  EXPECT_EQ(CostText(Additive(3, 0, 12304, 0, 550), Anthropic("claude-sonnet-4-5")), "0.054399");
}

TEST(UsageCost, F2AdditiveUsageNeverGoesNegative) {
  EXPECT_EQ(CostText(Additive(1, 965602, 225, 0, 82), Anthropic("claude-opus-4-6")), "0.48626225");
}

TEST(UsageCost, F3AndF4HourWritesHaveTheirOwnPrice) {
  EXPECT_EQ(CostText(Additive(0, 0, 600000, 400000, 0), Anthropic("claude-opus-4-8")), "7.75");
  EXPECT_EQ(CostText(Additive(0, 0, 1000000, 0, 0), Anthropic("claude-opus-4-8")), "6.25");
  EXPECT_EQ(CostText(Additive(0, 0, 0, 344139, 0), Anthropic("claude-opus-5")), "3.44139");
}

TEST(UsageCost, F5MixedLifetimes) {
  EXPECT_EQ(CostText(Additive(2048, 1800, 148, 100, 503), Anthropic("claude-sonnet-4-6")), "0.015384");
}

TEST(UsageCost, F6EachModelHasItsOwnReadPrice) {
  EXPECT_EQ(CostText(Additive(50, 200000, 0, 0, 0), Anthropic("claude-opus-5")), "0.10025");
  EXPECT_EQ(CostText(Additive(50, 200000, 0, 0, 0), Anthropic("claude-opus-5-5")), "0.0402");
  EXPECT_EQ(CostText(Additive(50, 200000, 0, 0, 0), Anthropic("claude-fable-5-1")), "0.0505");
}

TEST(UsageCost, F7PreWarming) {
  EXPECT_EQ(CostText(Additive(8, 0, 5120, 0, 0), Anthropic("claude-opus-5")), "0.03204");
}

TEST(UsageCost, F8OpenAiCountersArePartsOfThePrompt) {
  auto usage = Parsed(
      R"({"prompt_tokens":2000,"completion_tokens":0,"prompt_tokens_details":{"cached_tokens":500,"cache_write_tokens":300}})");
  EXPECT_EQ(CostText(usage, Row(3, 0.3, 3.75, 0, 15)), "0.004875");
}

TEST(UsageCost, F9AndF10SubsetProviders) {
  auto f9 = Parsed(
      R"({"prompt_tokens":262960,"completion_tokens":1744,"prompt_tokens_details":{"cached_tokens":257955}})");
  EXPECT_EQ(CostText(f9, Row(1.25, 0.625, 0, 0, 10)), "0.184918125");
  auto f10 =
      usage::ReadUsageDocument(
          R"({"usageMetadata":{"promptTokenCount":100000,"cachedContentTokenCount":90000,"candidatesTokenCount":600,"thoughtsTokenCount":400}})")
          ->last()
          .usage;
  EXPECT_EQ(CostText(f10, Row(0.75, 0.075, 0, 0, 3.75)), "0.018");
}

TEST(UsageCost, F12QwenWritesInsideThePrompt) {
  auto usage = Parsed(
      R"({"prompt_tokens":2059,"completion_tokens":0,"prompt_tokens_details":{"cached_tokens":0,"cache_creation_input_tokens":2048}})");
  EXPECT_EQ(CostText(usage, Row(0.4, 0.16, 0.5, 0, 0)), "0.0010284");
}

TEST(UsageCost, F13BothLifetimesOfABedrockWrite) {
  EXPECT_EQ(CostText(Additive(0, 0, 8882, 0, 0), Row(5, 0.5, 6.25, 10, 25)), "0.0555125");
  EXPECT_EQ(CostText(Additive(0, 0, 0, 8882, 0), Row(5, 0.5, 6.25, 10, 25)), "0.08882");
}

TEST(UsageCost, ARepeatedLogLineIsBilledOnce) {  // ccusage/ccusage#389
  auto usage = Parsed(R"({"input_tokens":4,"cache_creation_input_tokens":15178,"output_tokens":1})");
  auto cost = CostOf(usage, Row(3, 0.3, 3.75, 6, 15));
  EXPECT_EQ(ToText(cost.total), "0.0569445");
  EXPECT_EQ(cost.kind, Cost::Kind::kLowerBound);  // reads not reported
}

TEST(UsageCost, CachedTokensAreNotBilledTwice) {  // Aider-AI/aider#5518
  auto usage = Parsed(
      R"({"prompt_tokens":10000,"completion_tokens":0,"prompt_cache_hit_tokens":9900,"prompt_cache_miss_tokens":100})");
  EXPECT_EQ(CostText(usage, Row(0.14, 0.0028, 0, 0, 0.28)), "0.00004172");
}

TEST(UsageCost, AHoistedSystemMessageCostsTwelveTimes) {  // EKKOLearnAI/hermes-studio#3060
  auto flash = PriceTable::BuiltIn().Find("deepseek", "deepseek-v4-flash", "2026-12-05T12:00:00Z", 1).value();
  auto day = Additive(10837780, 959488, 0, 0, 162310);
  EXPECT_EQ(CostText(day, flash), "1.725931464");
  std::int64_t whole = 10837780 + 959488;
  std::int64_t read = (whole * 996 + 500) / 1000;
  double better = ToUsd(CostOf(Additive(whole - read, read, 0, 0, 162310), flash).total);
  EXPECT_NEAR(better, 0.139715, 5e-7);
}

TEST(UsageCost, UnreportedCachingMakesTheCostUnknownNotZero) {
  auto cost = CostOf(Parsed(R"({"prompt_tokens":25,"completion_tokens":4,"prompt_tokens_details":null})"),
                     Row(1, 1, 1, 1, 1));
  EXPECT_EQ(cost.kind, Cost::Kind::kUnknown);
  EXPECT_TRUE(ToJson(cost)["usd"].is_null());
}

TEST(UsageCost, AWriteWithoutAPriceMakesTheCostUnknown) {
  auto usage = Parsed(
      R"({"input_tokens":1,"cache_read_input_tokens":0,"cache_creation_input_tokens":10,"output_tokens":1,"cache_creation":{"ephemeral_2h_input_tokens":10}})");
  EXPECT_EQ(CostOf(usage, Anthropic("claude-opus-5")).kind, Cost::Kind::kUnknown);
}

TEST(UsageCost, IsNeverNegativeAndGrowsWithEveryCounter) {
  SplitMix64 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::int64_t n[5];
    for (auto& each : n) each = static_cast<std::int64_t>(random.Below(1'000'000'000));
    const auto row = Row(random.Unit() * 20, random.Unit() * 20, random.Unit() * 20, random.Unit() * 20,
                         random.Unit() * 20);
    const Money base = CostOf(Additive(n[0], n[1], n[2], n[3], n[4]), row).total;
    ASSERT_GE(base.count, 0);
    for (int i = 0; i < 5; ++i) {
      n[i] += static_cast<std::int64_t>(random.Below(1000)) + 1;
      ASSERT_GE(CostOf(Additive(n[0], n[1], n[2], n[3], n[4]), row).total.count, base.count);
    }
  }
}

}  // namespace
}  // namespace helix::cost
