// Vectors computed with R 4.2 and SciPy 1.10.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/bootstrap.h"
#include "core/analysis/detectable.h"
#include "core/analysis/distributions.h"
#include "core/analysis/paired_ratio.h"
#include "core/analysis/quantile.h"
#include "core/analysis/series.h"
#include "core/analysis/signed_rank.h"
#include "core/analysis/walsh_average.h"
#include "core/base/random.h"

namespace helix::analysis {
namespace {

using Values = std::vector<double>;
const Values kOff = {812.4, 798.1, 805.9, 820.3, 801.7, 809.2, 815.0, 799.6, 807.8, 811.1};
const Values kOn = {142.7, 139.9, 145.3, 141.2, 138.6, 150.1, 140.4, 143.8, 139.2, 144.9};

Values UpTo(int n) {
  Values out;
  for (int i = 1; i <= n; ++i) out.push_back(i);
  return out;
}

TEST(Quantiles, Type7AndNearestRankFollowTheirDefinitions) {
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(10), 0.25), 3.25);
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(10), 0.95), 9.55);
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(10), 0.99), 9.91);
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(20), 0.95), 19.05);
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(21), 0.95), 20);
  EXPECT_EQ(*QuantileNearestRank(UpTo(10), 250), 3);
  EXPECT_EQ(*QuantileNearestRank(UpTo(10), 900), 9);
  EXPECT_EQ(*QuantileNearestRank(UpTo(20), 950), 19);
  EXPECT_EQ(*QuantileNearestRank(UpTo(20), 990), 20);
  EXPECT_EQ(*QuantileNearestRank(UpTo(1000), 999), 999);
  Values x12 = {3.1, 2.7, 4.4, 10.2, 3.3, 2.9, 3.0, 3.6, 5.5, 3.2, 2.8, 3.9};
  EXPECT_NEAR(*QuantileType7(x12, 0.25), 2.975, 1e-12);
  EXPECT_NEAR(*Median(x12), 3.25, 1e-12);
  EXPECT_NEAR(*QuantileType7(x12, 0.95), 7.615, 1e-12);
  EXPECT_NEAR(*QuantileType7(x12, 0.99), 9.683, 1e-12);
  EXPECT_EQ(*QuantileNearestRank(x12, 950), 10.2);
  EXPECT_NEAR(*MedianAbsoluteDeviation(x12), 0.4, 1e-12);
  EXPECT_NEAR(0.6745 * (10.2 - 3.25) / *MedianAbsoluteDeviation(x12), 11.7194, 1e-4);
  EXPECT_NEAR(0.6745 * (5.5 - 3.25) / *MedianAbsoluteDeviation(x12), 3.7941, 1e-4);
  EXPECT_NEAR(*QuantileType7(x12, 0.75), 4.025, 1e-12);
  EXPECT_NEAR(*QuantileType7(x12, 0.90), 5.39, 1e-12);
  double spread = *QuantileType7(x12, 0.75) - *QuantileType7(x12, 0.25);
  EXPECT_NEAR(*QuantileType7(x12, 0.25) - 1.5 * spread, 1.4, 1e-12);
  EXPECT_NEAR(*QuantileType7(x12, 0.75) + 1.5 * spread, 5.6, 1e-12);
  EXPECT_NEAR(*QuantileType7(x12, 0.75) + 3 * spread, 7.175, 1e-12);
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(10), 0.5), 5.5);
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(10), 0.75), 7.75);
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(10), 0.90), 9.1);
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(20), 0.5), 10.5);
  EXPECT_DOUBLE_EQ(*QuantileType7(UpTo(20), 0.99), 19.81);
  EXPECT_EQ(*QuantileNearestRank(UpTo(10), 500), 5);
  EXPECT_EQ(*QuantileNearestRank(UpTo(10), 750), 8);
  EXPECT_EQ(*QuantileNearestRank(UpTo(10), 950), 10);
  EXPECT_EQ(*QuantileNearestRank(UpTo(20), 500), 10);
  EXPECT_EQ(*QuantileNearestRank(UpTo(21), 950), 20);
}

TEST(Quantiles, OfTheReferenceRunAndItsMedianBounds) {
  EXPECT_NEAR(*Median(kOff), 808.5, 1e-9);
  EXPECT_NEAR(*QuantileType7(kOff, 0.95), 817.915, 1e-9);
  EXPECT_EQ(*QuantileNearestRank(kOff, 500), 807.8);
  EXPECT_EQ(*QuantileNearestRank(kOff, 950), 820.3);
  EXPECT_NEAR(*Median(kOn), 141.95, 1e-9);
  EXPECT_NEAR(*QuantileType7(kOn, 0.95), 147.94, 1e-9);
  EXPECT_EQ(*QuantileNearestRank(kOn, 500), 141.2);
  EXPECT_EQ(*QuantileNearestRank(kOn, 950), 150.1);
  for (auto [values, low, high] : {std::tuple(kOff, 799.6, 815.0), std::tuple(kOn, 139.2, 145.3)}) {
    std::sort(values.begin(), values.end());
    RankBounds b = QuantileRankBounds(values.size(), 0.5);
    EXPECT_EQ(values[b.lower - 1], low);
    EXPECT_EQ(values[b.upper - 1], high);
  }
}

TEST(Quantiles, P95BelowTwentyIsTheMaximum) {
  EXPECT_TRUE(NearestRankIsMax(19, 950));
  EXPECT_FALSE(NearestRankIsMax(20, 950));
}

TEST(Quantiles, RankBoundsAndMinimumSizesAreThoseOfTheBinomial) {
  auto bounds = [](std::size_t n, double p) {
    RankBounds b = QuantileRankBounds(n, p);
    return std::pair(b.lower, b.upper);
  };
  EXPECT_EQ(bounds(5, 0.5), std::pair(std::size_t{0}, std::size_t{0}));
  EXPECT_EQ(bounds(6, 0.5), std::pair(std::size_t{1}, std::size_t{6}));
  EXPECT_EQ(bounds(10, 0.5), std::pair(std::size_t{2}, std::size_t{9}));
  EXPECT_EQ(bounds(20, 0.5), std::pair(std::size_t{6}, std::size_t{15}));
  EXPECT_EQ(bounds(100, 0.5), std::pair(std::size_t{40}, std::size_t{61}));
  EXPECT_EQ(bounds(10, 0.95), std::pair(std::size_t{8}, std::size_t{0}));
  EXPECT_EQ(bounds(73, 0.95), std::pair(std::size_t{65}, std::size_t{73}));
  EXPECT_EQ(bounds(200, 0.95), std::pair(std::size_t{184}, std::size_t{197}));
  EXPECT_NEAR(QuantileRankBounds(10, 0.5).coverage, 0.9785, 1e-4);
  EXPECT_EQ(MinimumForUpperBound(0.90), 29u);
  EXPECT_EQ(MinimumForUpperBound(0.95), 59u);
  EXPECT_EQ(MinimumForUpperBound(0.99), 299u);
  EXPECT_EQ(MinimumForUpperBound(0.95, 0.99), 90u);
}

TEST(SignedRank, CountsAndQuantilesAreExact) {
  EXPECT_EQ(SignedRankCounts(5), (Values{1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 1, 1, 1}));
  std::vector<std::pair<std::size_t, std::uint64_t>> expected = {{6, 1},   {8, 4},   {10, 9},  {12, 14},
                                                                 {15, 26}, {20, 53}, {30, 138}};
  for (auto [n, k] : expected) EXPECT_EQ(SignedRankQuantile(0.025, n), k) << n;
  EXPECT_EQ(SignedRankQuantile(0.025, 5), 0u);
}

TEST(SignedRank, MatchesTheManualExamples) {
  Values x = {1.83, .50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  Values y = {.878, .647, .598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  Values d;
  for (std::size_t i = 0; i < x.size(); ++i) d.push_back(x[i] - y[i]);
  auto test = WilcoxonSignedRank(d);
  EXPECT_EQ(test->v, 40);
  EXPECT_NEAR(test->p, 0.0390625, 1e-12);
  auto hl = HodgesLehmannOf(d);
  EXPECT_NEAR(hl->estimate, 0.46, 1e-9);
  EXPECT_NEAR(hl->low, 0.010, 1e-9);
  EXPECT_NEAR(hl->high, 0.786, 1e-9);
  Values e = {.021, -.013, .034, .008, -.002, .027, .015, -.009};
  EXPECT_EQ(WilcoxonSignedRank(e)->v, 28);
  EXPECT_NEAR(WilcoxonSignedRank(e)->p, 0.1953125, 1e-12);
  EXPECT_NEAR(HodgesLehmannOf(e)->estimate, 0.010, 1e-12);
  EXPECT_NEAR(HodgesLehmannOf(e)->low, -0.0075, 1e-12);
  EXPECT_NEAR(HodgesLehmannOf(e)->high, 0.027, 1e-12);
}

TEST(PairedRatio, MatchesTheReferenceRun) {
  auto r = PairedRatioOf(kOff, kOn);
  ASSERT_TRUE(r);
  EXPECT_NEAR(r->ratio.value, 5.6805352149846993, 1e-12);
  EXPECT_NEAR(r->ratio.ci_low, 5.5605006954102913, 1e-12);
  EXPECT_NEAR(r->ratio.ci_high, 5.7937084035099575, 1e-12);
  EXPECT_NEAR(*r->p_wilcoxon, 0.001953125, 1e-12);
  EXPECT_NEAR(r->geometric_mean->value, 5.667921098456769, 1e-12);
  EXPECT_NEAR(r->geometric_mean->ci_low, 5.5667271166, 1e-8);
  EXPECT_NEAR(r->geometric_mean->ci_high, 5.7709546212, 1e-8);
  ASSERT_TRUE(r->sd_log);
  EXPECT_NEAR(*r->sd_log, .025183389007594, 1e-12);
  EXPECT_NEAR(r->ratio_of_medians->value, 5.695667488552307, 1e-12);
  EXPECT_NEAR(r->ratio_of_medians->ci_low, 5.575104311543811, 1e-9);
  EXPECT_NEAR(r->ratio_of_medians->ci_high, 5.781695156695156, 1e-9);
  EXPECT_FALSE(r->estimators_disagree);
}

TEST(PairedRatio, SwappedArmsGiveTheReciprocalAndTheMirroredInterval) {
  auto a = PairedRatioOf(kOff, kOn, {42, 0});
  auto b = PairedRatioOf(kOn, kOff, {42, 0});
  EXPECT_NEAR(a->ratio.value * b->ratio.value, 1, 1e-12);
  EXPECT_NEAR(a->ratio.ci_low * b->ratio.ci_high, 1, 1e-12);
  EXPECT_NEAR(a->ratio.ci_high * b->ratio.ci_low, 1, 1e-12);
}

TEST(PairedRatio, RefusesWhatHasNoRatio) {
  EXPECT_FALSE(PairedRatioOf({}, {}));
  EXPECT_FALSE(PairedRatioOf({1, 2}, {1}));
  for (double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) EXPECT_FALSE(PairedRatioOf({1, bad}, {1, 1}));
  auto one = PairedRatioOf({2}, {1});
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->ratio.has_interval);
  auto equal = PairedRatioOf(Values(10, 3), Values(10, 3));
  EXPECT_EQ(equal->ratio.value, 1);
}

TEST(Bootstrap, SeedsReproduceTheReferenceIntervals) {
  auto one = BootstrapRatioOfMedians(kOff, kOn, 1, 10000);
  EXPECT_NEAR(one->first, 5.573153899240856, 1e-9);
  EXPECT_NEAR(one->second, 5.781695156695156, 1e-9);
  auto gm = BootstrapGeometricMean(kOff, kOn, 42, 10000);
  EXPECT_NEAR(gm->first, 5.5805442044634574, 1e-9);
  EXPECT_NEAR(gm->second, 5.747927878113034, 1e-9);
  // The published range is of 20,000 replicates; fewer are noisier.
  auto bca = BcaGeometricMean(kOff, kOn, 42, 40000);
  EXPECT_GT(bca->first, 5.5680);
  EXPECT_LT(bca->first, 5.5720);
  EXPECT_GT(bca->second, 5.7382);
  EXPECT_LT(bca->second, 5.7418);
}

TEST(Bootstrap, ExactEnumerationGivesTheClosedForm) {
  Values off = {100, 104, 98, 110, 101};
  Values on = {40, 38, 41, 45, 39};
  auto ratio = ExactPairedBootstrap(off, on, BootstrapStatistic::kRatioOfMedians);
  ASSERT_EQ(ratio->size(), 3125u);
  EXPECT_NEAR(*QuantileNearestRank(*ratio, 25), 2.3902439024390243, 1e-12);
  EXPECT_NEAR(*QuantileNearestRank(*ratio, 975), 2.736842105263158, 1e-12);
  auto gm = ExactPairedBootstrap(off, on, BootstrapStatistic::kGeometricMean);
  EXPECT_NEAR(*QuantileNearestRank(*gm, 25), 2.4335314197998024, 1e-9);
  EXPECT_NEAR(*QuantileNearestRank(*gm, 975), 2.6462887665995325, 1e-9);
  auto levels = BcaLevelsOf(*gm, off, on);
  EXPECT_NEAR(levels->z0, .0365046137, 1e-8);
  EXPECT_NEAR(levels->acceleration, .0380939648, 1e-8);
  EXPECT_NEAR(levels->low, .0395749178, 1e-8);
  EXPECT_NEAR(levels->high, .9860008360, 1e-8);
}

TEST(Series, MatchTheReferenceSeries) {
  Values s = {100, 101, 103, 102, 105, 107, 106, 109, 110, 112};
  EXPECT_NEAR(*Autocorrelation(s, 1), .636518771331058, 1e-12);
  EXPECT_NEAR(*Autocorrelation(s, 2), .378839590443686, 1e-12);
  EXPECT_NEAR(*Autocorrelation(s, 3), .165529010239, 1e-10);
  EXPECT_NEAR(LjungBoxOf(s)->q, 8.024585249072432, 1e-10);
  EXPECT_NEAR(LjungBoxOf(s)->p, .045506325921, 1e-10);
  EXPECT_NEAR(*VonNeumannRatio(s), .232081911263, 1e-10);
  auto kendall = MannKendallOf(s);
  EXPECT_EQ(kendall->s, 41);
  EXPECT_EQ(kendall->variance, 125);
  EXPECT_NEAR(kendall->z, 3.5777087640, 1e-9);
  EXPECT_NEAR(kendall->p_normal, .00034661935, 1e-9);
  EXPECT_NEAR(kendall->tau, .9111111111, 1e-9);
  EXPECT_NEAR(kendall->p, 2.9761904762e-05, 1e-13);
  EXPECT_NEAR(*TheilSenSlope(s), 4.0 / 3, 1e-12);
  std::vector<bool> above(10);
  for (std::size_t i = 0; i < 10; ++i) above[i] = s[i] > *Median(s);
  auto runs = RunsOf(above);
  EXPECT_EQ(runs->runs, 2u);
  EXPECT_EQ(runs->mean, 6);
  EXPECT_NEAR(runs->variance, 2.2222, 1e-4);
  EXPECT_NEAR(runs->z, -2.68328, 1e-5);
}

TEST(Series, CusumFindsTheChangeAndSaysHowSureItIs) {
  Values x = {10.1, 9.9, 10.0, 10.2, 9.8, 10.1, 12.0, 12.2, 11.9, 12.1, 12.0, 11.8};
  auto change = CusumChangePoint(x, 10000, 42);
  EXPECT_NEAR(change->range, 5.95, 1e-9);
  EXPECT_EQ(change->after, 6u);
  EXPECT_NEAR(change->p, .0139, .003);
}

TEST(Series, CrossoverSeparatesTreatmentFromPeriod) {
  Values d;
  std::vector<bool> off_first;
  for (std::size_t i = 0; i < kOff.size(); ++i) {
    d.push_back(std::log(kOff[i] / kOn[i]));
    off_first.push_back(i % 2 == 0);
  }
  auto c = CrossoverOf(d, off_first);
  EXPECT_NEAR(std::exp(c->treatment), 5.66792109845677, 1e-11);
  EXPECT_NEAR(c->period, .010106631424569, 1e-12);
  EXPECT_NEAR(c->t, 1.3204814717, 1e-9);
  EXPECT_NEAR(c->p, .22320, 1e-5);
  EXPECT_NEAR(std::exp(c->low), 5.568762341, 1e-8);
  EXPECT_NEAR(std::exp(c->high), 5.768845501, 1e-8);
}

TEST(MinimumDetectable, MatchesTheNoncentralTable) {
  EXPECT_NEAR(*MinimumDetectableRatio(.05, 10), 1.051, 6e-4);
  EXPECT_NEAR(*MinimumDetectableRatio(.20, 10), 1.220, 6e-4);
  EXPECT_NEAR(*MinimumDetectableRatio(.10, 30), 1.054, 6e-4);
  EXPECT_NEAR(*MinimumDetectableRatio(.40, 100), 1.120, 6e-4);
  EXPECT_FALSE(MinimumDetectableRatio(.1, 1));
}

TEST(EveryFunction, RefusesUselessInput) {
  for (const Values& bad : {Values{}, Values{1, std::nan("")}, Values{1, HUGE_VAL}}) {
    EXPECT_FALSE(Median(bad));
    EXPECT_FALSE(QuantileNearestRank(bad, 950));
    EXPECT_FALSE(MedianAbsoluteDeviation(bad));
    EXPECT_FALSE(HodgesLehmannOf(bad));
    EXPECT_FALSE(WilcoxonSignedRank(bad));
    EXPECT_FALSE(Autocorrelation(bad, 1));
    EXPECT_FALSE(MannKendallOf(bad));
    EXPECT_FALSE(CusumChangePoint(bad, 10, 1));
    EXPECT_FALSE(BootstrapRatioOfMedians(bad, bad, 1, 10));
  }
  Values flat(10, 2.0);
  EXPECT_FALSE(Autocorrelation(flat, 1));
  EXPECT_FALSE(LjungBoxOf(flat));
  EXPECT_FALSE(VonNeumannRatio(flat));
  EXPECT_FALSE(MannKendallOf(flat));
}

std::vector<double> AllAverages(const Values& d) {
  Values all;
  for (std::size_t i = 0; i < d.size(); ++i) {
    for (std::size_t j = i; j < d.size(); ++j) all.push_back((d[i] + d[j]) / 2);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Long enough that the value is narrowed down by counts before averages are listed, with and without ties.
TEST(WalshAverage, IsTheKthOfAllAveragesSorted) {
  SplitMix64 random(5);
  for (const bool ties : {false, true}) {
    Values d(200);
    for (double& v : d) v = ties ? std::floor(random.Unit() * 5) : std::exp(8 * random.Unit()) - 50;
    std::sort(d.begin(), d.end());
    Values all = AllAverages(d);
    for (std::size_t k = 1; k <= all.size(); k += 17) ASSERT_EQ(WalshAverage(d, k), all[k - 1]) << k;
    EXPECT_EQ(WalshAverage(d, all.size()), all.back());
  }
}

std::uint64_t AveragesAtMost(const Values& d, double limit) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    count +=
        static_cast<std::uint64_t>(std::partition_point(d.begin() + static_cast<std::ptrdiff_t>(i), d.end(),
                                                        [&](double v) { return (d[i] + v) / 2 <= limit; }) -
                                   (d.begin() + static_cast<std::ptrdiff_t>(i)));
  }
  return count;
}

// Too long to list all averages: the k-th is the value at which their count reaches k, and just below it does
// not.
TEST(WalshAverage, OfALongListIsWhereTheCountReachesK) {
  SplitMix64 random(13);
  for (int kind = 0; kind < 4; ++kind) {
    Values d(30'000);
    for (double& v : d) {
      double u = random.Unit();
      v = kind == 0   ? NormalQuantile(1e-9 + 0.99 * u)
          : kind == 1 ? std::floor(u * 7)
          : kind == 2 ? std::exp(20 * u)
                      : 1;
    }
    std::sort(d.begin(), d.end());
    std::uint64_t all = 30'000ULL * 30'001 / 2;
    for (std::uint64_t k : {std::uint64_t{1}, all / 1000, all / 2, all / 2 + 1, all - 5, all}) {
      auto [at, next] = WalshNeighbours(d, k);
      EXPECT_GE(AveragesAtMost(d, at), k) << kind;
      EXPECT_LT(AveragesAtMost(d, std::nextafter(at, -HUGE_VAL)), k) << kind;
      EXPECT_EQ(next, k == all ? at : WalshAverage(d, k + 1)) << kind << " " << k;
    }
  }
}

TEST(WalshAverage, AgreesWithSortingOnThousandsOfLists) {
  SplitMix64 random(11);
  for (int round = 0; round < 4000; ++round) {
    Values d(1 + random.Below(round % 40 == 0 ? 400 : 12));
    double levels = static_cast<double>(1 + random.Below(9));
    for (double& v : d) {
      double u = random.Unit();
      v = round % 4 == 0   ? std::floor(u * levels)
          : round % 4 == 1 ? std::exp(30 * u)
          : round % 4 == 2 ? -u
                           : u - 0.5;
    }
    std::sort(d.begin(), d.end());
    Values all = AllAverages(d);
    for (int i = 0; i < 3; ++i) {
      std::uint64_t k = 1 + random.Below(all.size());
      auto [at, next] = WalshNeighbours(d, k);
      ASSERT_EQ(at, all[k - 1]);
      ASSERT_EQ(next, all[std::min<std::size_t>(k, all.size() - 1)]) << "round " << round << " k " << k;
      ASSERT_EQ(WalshAverage(d, k), all[k - 1]) << "round " << round << " k " << k << " of " << all.size();
    }
    ASSERT_EQ(WalshAverage(d, 1), all.front());
    ASSERT_EQ(WalshAverage(d, all.size()), all.back());
  }
}

}  // namespace
}  // namespace helix::analysis
