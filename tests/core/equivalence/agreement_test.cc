#include "core/equivalence/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/random.h"

namespace helix::equivalence {
namespace {

// "aab|aba": three uncached answers, three cached ones, each a letter.
PromptRepeats Letters(const std::string& text) {
  PromptRepeats out;
  const std::size_t bar = text.find('|');
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i != bar) (i < bar ? out.uncached : out.cached).push_back({text[i]});
  }
  return out;
}

TEST(Agreement, FindsNothingWhereBothArmsDrawFromOneDistribution) {
  const auto result =
      TestAgreement({Letters("aab|aba"), Letters("xxx|xxx"), Letters("pqp|ppq")}, AgreementMeasure::kWhole);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->statistic, -0.148148, 1e-6);
  EXPECT_TRUE(result->exact);
  EXPECT_EQ(result->relabelings, 8000U);
  EXPECT_DOUBLE_EQ(result->p_value, 1.0);
}

TEST(Agreement, FindsADifferenceBetweenTheArms) {
  const auto result =
      TestAgreement({Letters("aaa|bbb"), Letters("xxy|zzz"), Letters("ppp|qqp")}, AgreementMeasure::kWhole);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->statistic, 0.666667, 1e-6);
  EXPECT_DOUBLE_EQ(result->p_value, 32.0 / 8000);
  EXPECT_FALSE(result->non_inferior);
  EXPECT_EQ(AgreementSentence(*result).rfind("a difference was detected", 0), 0U);
}

std::vector<PromptRepeats> Drawn(std::uint64_t seed, int prompts, int repeats, double flip) {
  SplitMix64 random(seed);
  std::vector<PromptRepeats> out;
  for (int p = 0; p < prompts; ++p) {
    PromptRepeats prompt;
    for (int r = 0; r < repeats; ++r) {
      prompt.uncached.push_back({static_cast<backend::TokenId>(random.Below(2))});
      prompt.cached.push_back({static_cast<backend::TokenId>(random.Unit() < flip ? 9 : random.Below(2))});
    }
    out.push_back(std::move(prompt));
  }
  return out;
}

TEST(Agreement, DrawsRelabelingsWhereTheyAreTooManyToCount) {
  const auto same = TestAgreement(Drawn(1, 30, 4, 0), AgreementMeasure::kWhole);
  const auto other = TestAgreement(Drawn(1, 30, 4, 0.8), AgreementMeasure::kWhole);
  ASSERT_TRUE(same && other);
  EXPECT_FALSE(same->exact);
  EXPECT_GT(same->p_value, 0.05);
  EXPECT_LT(other->p_value, 0.001);
  EXPECT_TRUE(same->large_enough);
  EXPECT_LT(same->detectable, 0.5);
}

TEST(Agreement, KeepsItsFalseAlarmRate) {
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto result = TestAgreement(Drawn(seed, 3, 3, 0), AgreementMeasure::kWhole);
    alarms += result->p_value < 0.05 ? 1 : 0;
  }
  EXPECT_LE(alarms, 8);
}

TEST(Agreement, CountsPositionsWhereWholeAnswersNeverAgree) {
  EXPECT_DOUBLE_EQ(Agreement({1, 2, 3, 4}, {1, 2, 9, 4}, AgreementMeasure::kPositions), 0.75);
  EXPECT_DOUBLE_EQ(Agreement({1, 2}, {1, 2, 3, 4}, AgreementMeasure::kPositions), 0.5);
  EXPECT_DOUBLE_EQ(Agreement({1, 2}, {1, 3}, AgreementMeasure::kWhole), 0);
}

TEST(Agreement, ClaimsNothingWhereUncachedAnswersHardlyAgree) {
  std::vector<PromptRepeats> prompts(30);
  backend::TokenId next = 0;
  for (PromptRepeats& prompt : prompts) {
    for (int i = 0; i < 4; ++i) {
      prompt.uncached.push_back({++next});
      prompt.cached.push_back({++next});
    }
  }
  const auto result = TestAgreement(prompts, AgreementMeasure::kWhole);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->uncached_self, 0);
  EXPECT_NE(AgreementSentence(*result).find("a wrong cache would not show"), std::string::npos);
}

TEST(Agreement, RefusesRepeatsThatDoNotPair) {
  EXPECT_FALSE(TestAgreement({}, AgreementMeasure::kWhole));
  EXPECT_FALSE(TestAgreement({Letters("a|b")}, AgreementMeasure::kWhole));
  EXPECT_FALSE(TestAgreement({Letters("aa|bbb")}, AgreementMeasure::kWhole));
}

// Statistics can fail to find a difference. They never show that there is none.
TEST(Agreement, NeverSaysIdentical) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    for (const double flip : {0.0, 0.3, 1.0}) {
      auto prompts = Drawn(seed, static_cast<int>(2 + seed % 30), static_cast<int>(2 + seed % 4), flip);
      if (seed % 5 == 0) {
        for (auto& prompt : prompts)
          prompt.cached = prompt.uncached = std::vector<Outcome>(prompt.uncached.size(), {1});
      }
      const auto result = TestAgreement(prompts, AgreementMeasure::kWhole);
      ASSERT_TRUE(result);
      std::string printed = AgreementSentence(*result) + DumpJson(ToJson(*result));
      std::transform(printed.begin(), printed.end(), printed.begin(),
                     [](unsigned char c) { return std::tolower(c); });
      for (const char* word : {"identical", "the same", "equal"}) {
        EXPECT_EQ(printed.find(word), std::string::npos) << printed;
      }
    }
  }
}

TEST(Agreement, ByEditsDoesNotLoseTheRestBehindOneInsertedWord) {
  const Outcome a = {1, 2, 3, 4, 5, 6, 7, 8};
  const Outcome shifted = {9, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_DOUBLE_EQ(Agreement(a, a, AgreementMeasure::kEdits), 1);
  EXPECT_DOUBLE_EQ(Agreement(a, shifted, AgreementMeasure::kEdits), 0.75);
  EXPECT_DOUBLE_EQ(Agreement(a, shifted, AgreementMeasure::kPositions), 0);
  EXPECT_DOUBLE_EQ(Agreement(a, {}, AgreementMeasure::kEdits), 0);
  EXPECT_DOUBLE_EQ(Agreement({}, {}, AgreementMeasure::kEdits), 1);
}

}  // namespace
}  // namespace helix::equivalence
