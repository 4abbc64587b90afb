#include "core/analysis/cost_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/skip_bound.h"

namespace helix::analysis {
namespace {

// Twelve points of a = 12, b = 0.4, gamma = 2e-5, computed by hand.
const std::vector<CostPoint>& Exact() {
  static const std::vector<CostPoint> points = {
      {512, 64, 38.21504},     {512, 256, 116.36864}, {512, 512, 219.42656},  {1024, 64, 38.8704},
      {1024, 512, 224.66944},  {1024, 1024, 432.096}, {2048, 64, 40.18112},   {2048, 1024, 453.06752},
      {2048, 2048, 873.16352}, {4096, 64, 42.80256},  {4096, 2048, 957.0496}, {4096, 4096, 1818.21312}};
  return points;
}

TEST(CostModel, FindsTheCoefficientsOfExactPoints) {
  const auto model = FitCostModel(Exact());
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->a, 12, 12e-9);
  EXPECT_NEAR(model->b, 0.4, 0.4e-9);
  EXPECT_NEAR(model->gamma, 2e-5, 2e-14);
  EXPECT_LT(model->max_relative_residual, 1e-9);
  ASSERT_TRUE(model->leave_one_out);
  EXPECT_LT(*model->leave_one_out, 1e-8);
}

TEST(CostModel, FitsNoisyPointsByTheirRelativeError) {
  const double noise[] = {1.01, .99, 1.02, .98, 1, 1.01, .99, 1, .98, 1.02, 1.01, .99};
  auto points = Exact();
  for (std::size_t i = 0; i < points.size(); ++i) points[i].ms *= noise[i];
  const auto model = FitCostModel(points);
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->a, 11.9518770, 1e-6);
  EXPECT_NEAR(model->b, .398631456, 1e-8);
  EXPECT_NEAR(model->gamma, 2.10657243e-05, 1e-12);
  EXPECT_NEAR(model->max_relative_residual, .02233, 1e-5);
}

TEST(CostModel, LeavesOutACoefficientThatWouldBeNegative) {
  std::vector<CostPoint> points;
  for (const CostPoint& at : Exact()) points.push_back({at.prompt, at.uncached, 0.4 * at.uncached - 3});
  const auto model = FitCostModel(points);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->a, 0);
  EXPECT_FALSE(model->not_identifiable.empty());
  EXPECT_GE(model->b, 0);
  EXPECT_GE(model->gamma, 0);
}

TEST(CostModel, RefusesWhatTellsNothing) {
  EXPECT_FALSE(FitCostModel({}));
  EXPECT_FALSE(FitCostModel({{512, 64, 1}, {512, 64, 1}}));
  EXPECT_FALSE(FitCostModel({{512, 64, 1}, {512, 64, 1}, {512, 64, 1}, {512, 64, 1}}));
  EXPECT_FALSE(FitCostModel({{512, 64, NAN}, {512, 128, 2}, {512, 256, 3}}));
  EXPECT_FALSE(FitCostModel({{512, 64, -1}, {512, 128, 2}, {512, 256, 3}}));
  EXPECT_FALSE(FitCostModel({{512, 1024, 1}, {512, 128, 2}, {512, 256, 3}})) << "more new tokens than tokens";
}

TEST(CostModel, DrawsTheCurveOfOverlapAndSpeedUp) {
  const auto model = FitCostModel(Exact());
  ASSERT_TRUE(model);
  const double cold = model->Ms(4096, 4096);
  EXPECT_NEAR(cold / model->Ms(4096, 4096 * 0.5), 1.90, 0.005);
  EXPECT_NEAR(cold / model->Ms(4096, 4096 * 0.2), 4.55, 0.01);
  EXPECT_NEAR(cold / model->Ms(4096, 4096 * 0.1), 8.75, 0.005);
  EXPECT_NEAR(cold / model->Ms(4096, 4096 * 0.05), 16.5, 0.05);
  EXPECT_NEAR(cold / model->Ms(4096, 4096 * 0.01), 57.3, 0.05);
}

TEST(SkipBound, BoundsTheRatioAndGivesTheShareThatWasSaved) {
  EXPECT_DOUBLE_EQ(*SkipBound(2176, 128), 17.0);
  EXPECT_NEAR(*FractionOfBound(6.5, 17, 1), .899, 5e-4);
  EXPECT_LT(*FractionOfBound(0.5, 17, 1), 0) << "slower with the cache is a result too";
  EXPECT_FALSE(FractionOfBound(2, 100, 100));
  EXPECT_FALSE(SkipBound(100, 0));
  EXPECT_FALSE(SkipBound(100, 101));
}

TEST(SkipBound, EndToEndIsBoundByTheShareOfThePrefill) {
  const auto model = FitCostModel(Exact());
  ASSERT_TRUE(model);
  const double cold = model->Ms(2176, 2176);
  const double warm = model->Ms(2176, 128);
  EXPECT_NEAR(cold, 929.8, 0.05);
  EXPECT_NEAR(warm, 68.6, 0.05);
  EXPECT_NEAR((cold + 500) / (warm + 500), 2.51, 0.005);
  EXPECT_GE(*EndToEndBound(cold / (cold + 500), 2176, 128), (cold + 500) / (warm + 500));
  EXPECT_FALSE(EndToEndBound(1.1, 10, 1));
}

}  // namespace
}  // namespace helix::analysis
