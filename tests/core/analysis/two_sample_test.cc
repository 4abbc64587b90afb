// Vectors computed with R 4.2 (wilcox.test, the manual's examples) and closed forms.
#include "core/analysis/two_sample.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/paired_ratio.h"
#include "core/analysis/sign_flip.h"
#include "core/base/random.h"

namespace helix::analysis {
namespace {

using Values = std::vector<double>;
const Values kOff = {812.4, 798.1, 805.9, 820.3, 801.7, 809.2, 815.0, 799.6, 807.8, 811.1};
const Values kOn = {142.7, 139.9, 145.3, 141.2, 138.6, 150.1, 140.4, 143.8, 139.2, 144.9};

TEST(MannWhitney, IsExactWithoutTies) {
  auto full = MannWhitneyOf(kOff, kOn);
  EXPECT_EQ(full->u, 100);
  EXPECT_NEAR(full->p, 1.082508822446903e-05, 1e-17);
  EXPECT_EQ(full->common_language, 1);
  auto part = MannWhitneyOf({10.1, 11.4, 12.8, 9.7, 13.3, 10.9}, {9.9, 8.8, 10.4, 9.1, 11.0, 8.3, 9.5});
  EXPECT_EQ(part->u, 36);
  EXPECT_NEAR(part->p, .03496503496503496, 1e-15);
  EXPECT_NEAR(part->common_language, .857142857, 1e-9);
  auto manual =
      MannWhitneyOf({.80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46}, {1.15, .88, .90, .74, 1.21});
  EXPECT_EQ(manual->u, 35);
  EXPECT_NEAR(manual->p_greater, .127206127206127, 1e-14);
  EXPECT_NEAR(manual->p, .254412254412254, 1e-14);
}

TEST(MannWhitney, CorrectsForTies) {
  Values x = {5, 5, 6, 7, 8, 8, 9, 10};
  Values y = {4, 5, 5, 6, 6, 7, 7, 8};
  EXPECT_EQ(MannWhitneyOf(x, y)->u, 45);
  EXPECT_NEAR(MannWhitneyOf(x, y)->p, .18203086904048, 1e-13);
  EXPECT_NEAR(MannWhitneyOf(x, y, false)->p, .16516471294225, 1e-13);
}

TEST(MannWhitney, CannotBeSmallerThanTheNumberOfOrdersAllows) {
  for (auto [n, p] : {std::pair(3, .1), std::pair(4, 1 / 35.0), std::pair(5, 1 / 126.0)}) {
    Values low;
    Values high;
    for (int i = 0; i < n; ++i) {
      low.push_back(i);
      high.push_back(i + 100);
    }
    EXPECT_NEAR(MannWhitneyOf(high, low)->p, p, 1e-12) << n;
  }
}

TEST(HodgesLehmannShift, MatchesTheReferenceRuns) {
  auto s = HodgesLehmannShift(kOff, kOn);
  EXPECT_NEAR(s->estimate, 665.9, 1e-9);
  EXPECT_NEAR(s->low, 659.2, 1e-9);
  EXPECT_NEAR(s->high, 671.2, 1e-9);
  s = HodgesLehmannShift({10.1, 11.4, 12.8, 9.7, 13.3, 10.9}, {9.9, 8.8, 10.4, 9.1, 11.0, 8.3, 9.5});
  EXPECT_NEAR(s->estimate, 1.8, 1e-9);
  EXPECT_NEAR(s->low, .2, 1e-9);
  EXPECT_NEAR(s->high, 3.7, 1e-9);
  s = HodgesLehmannShift({.80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46},
                         {1.15, .88, .90, .74, 1.21});
  EXPECT_NEAR(s->estimate, .305, 1e-9);
  EXPECT_NEAR(s->low, -.15, 1e-9);
  EXPECT_NEAR(s->high, .76, 1e-9);
  EXPECT_NEAR(HodgesLehmannShift({1, 4, 2.5, 7}, {.5, 3, 6})->estimate, .75, 1e-12);
}

double Choose(int n, int k) {
  return std::round(std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)));
}

// Gnedenko and Korolyuk: for equal sizes P(D+ >= k/n) = C(2n, n+k) / C(2n, n).
TEST(KolmogorovSmirnov, IsTheClosedFormForEqualSizes) {
  SplitMix64 random(3);
  for (int round = 0; round < 50; ++round) {
    int n = 3 + static_cast<int>(random.Below(10));
    Values x;
    Values y;
    for (int i = 0; i < n; ++i) {
      x.push_back(random.Unit() + 0.2);
      y.push_back(random.Unit());
    }
    auto ks = KolmogorovSmirnovGreater(x, y);
    int k = static_cast<int>(std::lround(ks->d * n));
    EXPECT_NEAR(ks->p, Choose(2 * n, n + k) / Choose(2 * n, n), 1e-9) << n << " " << k;
  }
  EXPECT_NEAR(KolmogorovSmirnovGreater(kOff, kOn)->d, 1, 1e-12);
  EXPECT_EQ(KolmogorovSmirnovGreater(kOn, kOff)->d, 0);
  EXPECT_EQ(KolmogorovSmirnovGreater(kOn, kOff)->p, 1);
}

TEST(SignFlip, CountsEveryPatternOfSigns) {
  Values e = {.021, -.013, .034, .008, -.002, .027, .015, -.009};
  EXPECT_DOUBLE_EQ(*SignFlipP(e), 40.0 / 256);
  EXPECT_DOUBLE_EQ(*SignFlipP(Values(10, 1.0)), 2.0 / 1024);
}

TEST(SignFlip, ManyValuesUseRandomPatterns) {
  Values d;
  for (int i = 0; i < 40; ++i) d.push_back(i % 2 == 0 ? 1.0 + i : -1.0 - i);
  EXPECT_GT(*SignFlipP(d), 0.5);
  EXPECT_DOUBLE_EQ(*SignFlipP(Values(40, 1.0)), 1.0 / (kRandomSignFlips + 1));
}

TEST(RatioOfMeans, HasFiellersInterval) {
  auto r = RatioOfMeansOf(kOff, kOn);
  EXPECT_NEAR(r->value, 5.666573171586845, 1e-12);
  EXPECT_NEAR(r->ci_low, 5.562072871501905, 1e-11);
  EXPECT_NEAR(r->ci_high, 5.77462105106942, 1e-11);
  EXPECT_FALSE(RatioOfMeansOf({1, 1}, {1, 1000})->has_interval) << "the mean of on may be 0";
  EXPECT_FALSE(RatioOfMeansOf({2}, {1})->has_interval);
}

TEST(TwoSamples, RefuseUselessInput) {
  for (const Values& bad : {Values{}, Values{1, std::nan("")}, Values{1, HUGE_VAL}}) {
    EXPECT_FALSE(MannWhitneyOf(bad, kOn));
    EXPECT_FALSE(MannWhitneyOf(kOn, bad));
    EXPECT_FALSE(HodgesLehmannShift(bad, kOn));
    EXPECT_FALSE(KolmogorovSmirnovGreater(kOn, bad));
    EXPECT_FALSE(SignFlipP(bad));
    EXPECT_FALSE(RatioOfMeansOf(bad, bad));
  }
  EXPECT_EQ(MannWhitneyOf(Values(5, 2.0), Values(5, 2.0))->p, 1) << "all equal: no evidence of anything";
}

}  // namespace
}  // namespace helix::analysis
