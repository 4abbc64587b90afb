#include "core/equivalence/shape_case.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/equivalence/oracle.h"
#include "tests/fakes/toy_backend.h"

namespace helix::equivalence {
namespace {

PromptSource Source(std::int64_t tokens) {
  fakes::ToyBackend toy({});
  return PromptSource::Make(toy, 1, tokens, {}).value();
}

TEST(ShapeCase, TheStandardPlanStandsAtAndBesideEveryBoundary) {
  ShapePlan plan = StandardOptions().shapes;
  AddServerBoundaries(plan, 1, 128);
  PromptSource source = Source(TokensNeeded(plan));
  const PlannedShapes planned = BuildShapes(source, plan);
  EXPECT_TRUE(planned.left_out.empty());
  for (const std::int64_t boundary : {16, 32, 64, 128, 256, 512}) {
    for (const std::int64_t length : {boundary - 1, boundary, boundary + 1}) {
      const auto repeats =
          std::count_if(planned.cases.begin(), planned.cases.end(), [&](const ShapeCase& one) {
            return one.shape == "exact_repeat" && static_cast<std::int64_t>(one.prompt.size()) == length;
          });
      const auto prefixes = std::count_if(
          planned.cases.begin(), planned.cases.end(),
          [&](const ShapeCase& one) { return one.shape == "prefix_extension" && one.shared == length; });
      EXPECT_GE(repeats, 1) << length;
      EXPECT_GE(prefixes, 1) << length;
    }
  }
  const auto whole = std::count_if(planned.cases.begin(), planned.cases.end(), [](const ShapeCase& one) {
    return one.boundary == 0 && one.output_tokens == 64;
  });
  EXPECT_GE(whole, 8);
}

TEST(ShapeCase, EachShapeSharesExactlyWhatItSays) {
  PromptSource source = Source(400);
  const ShapeCase repeat = ExactRepeat(source, 40, 16);
  EXPECT_EQ(repeat.prime, repeat.prompt);
  EXPECT_EQ(repeat.ExpectedReuse(), 39);
  const ShapeCase longer = PrefixExtension(source, 40, 8, 16);
  EXPECT_TRUE(std::equal(longer.prime.begin(), longer.prime.end(), longer.prompt.begin()));
  EXPECT_EQ(longer.ExpectedReuse(), 40);
  const ShapeCase overlap = PartialOverlap(source, 40, 8, 16);
  EXPECT_GE(overlap.shared, 40);
  EXPECT_NE(overlap.prime, overlap.prompt);
  EXPECT_TRUE(
      std::equal(overlap.prime.begin(), overlap.prime.begin() + overlap.shared, overlap.prompt.begin()));
}

}  // namespace
}  // namespace helix::equivalence
