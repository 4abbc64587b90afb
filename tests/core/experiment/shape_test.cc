#include "core/experiment/shape.h"

#include <gtest/gtest.h>

namespace helix::experiment {
namespace {

TEST(Shape, ProfilesHaveTheirPublishedSizes) {
  const auto quick = ShapeOf("quick", {});
  const auto standard = ShapeOf("standard", {});
  const auto thorough = ShapeOf("thorough", {});
  ASSERT_TRUE(quick && standard && thorough);
  EXPECT_EQ(quick->pairs, 10);
  EXPECT_EQ(quick->prefix_tokens, 512);
  EXPECT_EQ(standard->pairs, 12);
  EXPECT_EQ(standard->prefix_tokens, 1024);
  EXPECT_EQ(thorough->pairs, 30);
  EXPECT_EQ(thorough->prefix_tokens, 2048);
  for (const Shape& shape : {*quick, *standard, *thorough}) {
    EXPECT_EQ(shape.new_tokens, 64);
    EXPECT_EQ(shape.output_tokens, 48);
    EXPECT_EQ(shape.warmup_pairs, 1);
  }
}

TEST(Shape, TakesOverridesAndNamesTheRangeOfABadOne) {
  ShapeOverrides overrides;
  overrides.pairs = 20;
  overrides.prefix_tokens = 300;
  EXPECT_EQ(ShapeOf("quick", overrides)->pairs, 20);
  EXPECT_EQ(ShapeOf("quick", overrides)->prefix_tokens, 300);
  overrides.pairs = 0;
  const auto bad = ShapeOf("quick", overrides);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(bad.error().message.find("pairs from 2 to 1000, got 0"), std::string::npos)
      << bad.error().message;
}

TEST(Shape, RefusesAnUnknownProfile) {
  EXPECT_NE(ShapeOf("huge", {}).error().message.find("huge"), std::string::npos);
}

TEST(Shape, ShortensThePrefixToTheSlotAndSaysSo) {
  const Shape shape = *ShapeOf("thorough", {});
  const auto fitted = FitToSlot(shape, 1024);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->shape.prompt_tokens() + fitted->shape.output_tokens + 1, 1024);
  EXPECT_NE(fitted->note.find("2048"), std::string::npos);
  const auto roomy = FitToSlot(shape, 4096);
  EXPECT_EQ(roomy->shape.prefix_tokens, 2048);
  EXPECT_TRUE(roomy->note.empty());
}

TEST(Shape, RefusesASlotTooSmallForAnyMeasurement) {
  const auto fitted = FitToSlot(*ShapeOf("quick", {}), 128);
  ASSERT_FALSE(fitted);
  EXPECT_NE(fitted.error().hint.find("-c"), std::string::npos);
}

}  // namespace
}  // namespace helix::experiment
