// Every recorded bluff raises exactly its codes, and the good reports raise none.
#include <gtest/gtest.h>

#include "core/analysis/analyze.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "tests/support/paths.h"

namespace helix::analysis {
namespace {

AnalyzeOptions Quick() {
  AnalyzeOptions options;
  options.statistics.bootstrap.replicates = 0;
  options.statistics.permutations = 0;
  return options;
}

TEST(BluffFixtures, RaiseExactlyTheirCodes) {
  auto expected = ReadJsonFile(testing_support::TestData("bluffs/expected.json"));
  ASSERT_TRUE(expected) << expected.error().Text();
  ASSERT_GE(expected->size(), 54u);
  for (auto it = expected->begin(); it != expected->end(); ++it) {
    auto bytes = ReadFile(testing_support::TestData("bluffs/" + it.key()));
    ASSERT_TRUE(bytes) << it.key();
    Analysis analysis = AnalyzeBytes(*bytes, Quick());
    EXPECT_EQ(Json(analysis.Codes()), *it) << it.key();
  }
}

TEST(BluffFixtures, GoodReportsPass) {
  for (const char* name : {"good1", "good2", "good3"}) {
    auto bytes = ReadFile(testing_support::TestData(std::string("bluffs/good/") + name + ".json"));
    ASSERT_TRUE(bytes);
    Analysis analysis = AnalyzeBytes(*bytes, Quick());
    EXPECT_EQ(analysis.verdict, Verdict::kPass) << name << ": " << analysis.reason;
    EXPECT_EQ(analysis.direction, "faster");
  }
}

TEST(Analyze, TakesAnythingThatIsNotAReportWithoutCrashing) {
  for (const char* text : {"", "null", "[]", "{}", "\"x\"", "{\"samples\":7}", "{\"samples\":[1,null,{}]}",
                           "{\"plan\":[],\"claim\":3,\"samples\":[{\"client\":5,\"arm\":9}]}", "{\"a\":NaN}",
                           "{\"a\":1,\"a\":2}", "{\"a\":9007199254740993}"}) {
    Analysis analysis = AnalyzeBytes(text, Quick());
    EXPECT_NE(analysis.verdict, Verdict::kPass) << text;
    EXPECT_FALSE(DumpJson(analysis.ToJson()).empty());
  }
}

}  // namespace
}  // namespace helix::analysis
