// The checker is checked: golden reports, and what happens when a check is taken away.
#include "core/analysis/selfcheck.h"

#include <gtest/gtest.h>

#include <set>

#include "core/analysis/analyze.h"
#include "core/analysis/checks/check.h"
#include "core/analysis/golden/golden.h"
#include "core/base/file.h"
#include "tests/support/paths.h"

namespace helix::analysis {
namespace {

AnalyzeOptions Quick() {
  AnalyzeOptions options;
  options.statistics = {{42, 0}, 0};
  return options;
}

TEST(Selfcheck, PassesAndCountsEveryRow) {
  SelfcheckResult result = RunSelfcheck();
  for (const auto& f : result.failures)
    ADD_FAILURE() << f.report << ": " << f.why << " " << Json(f.seen).dump();
  EXPECT_EQ(result.rows, 122u);
  EXPECT_EQ(result.rows_with_report, 122u);
  EXPECT_GE(result.bad, result.checks);
  EXPECT_EQ(result.ToJson()["verdict"], "PASS");
}

TEST(Selfcheck, NoticesThatAnyOneCheckIsMissing) {
  for (const auto& check : Catalogue()) {
    AnalyzeOptions without = Quick();
    without.disabled = std::string(check.row) + ":" + check.code;
    bool noticed = false;
    for (const auto& recipe : Recipes()) {
      if (noticed || recipe.row != std::string(check.row) || recipe.code != std::string(check.code)) continue;
      noticed = Analyze(GoldenBad(recipe), without).Codes() != ExpectedCodes(recipe);
    }
    EXPECT_TRUE(noticed) << without.disabled;
  }
}

TEST(Selfcheck, FailsWhenOneCheckIsDisabled) {
  SelfcheckResult result = RunSelfcheck("A01:on_arm_never_hit");
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.ToJson()["verdict"], "FAIL");
}

TEST(GoldenFiles, AreWhatTheProgramMakes) {
  auto good = ReadJsonFile(testing_support::TestData("golden_good.json"));
  ASSERT_TRUE(good) << good.error().Text();
  EXPECT_EQ(Json(GoldenReport()).dump(), good->dump());
  auto bad = ReadJsonFile(testing_support::TestData("golden_bad.json"));
  ASSERT_TRUE(bad);
  Analysis analysis = Analyze(*bad, Quick());
  EXPECT_EQ(analysis.verdict, Verdict::kFail);
  EXPECT_NE(analysis.direction, "faster");
  EXPECT_EQ(analysis.Codes(), (std::vector<std::string>{"ci_includes_1", "on_arm_never_hit"}));
}

TEST(GoldenFiles, OneTokenOfThePrefixReusedIsFlaggedToo) {
  auto bad = ReadJsonFile(testing_support::TestData("golden_bad.json"));
  ASSERT_TRUE(bad);
  for (auto& sample : (*bad)["samples"]) {
    if (sample["arm"] != "on") continue;
    sample["server"]["cached_n"] = 1;
    sample["server"]["processed_n"] = 2175;
  }
  Analysis analysis = Analyze(*bad, Quick());
  EXPECT_EQ(analysis.verdict, Verdict::kFail);
  EXPECT_EQ(analysis.Codes(), (std::vector<std::string>{"ci_includes_1", "on_arm_never_hit"}));
}

TEST(GoldenFiles, EveryRowHasAFileThatRaisesItsCode) {
  auto good = ReadJsonFile(testing_support::TestData("golden_good.json"));
  // Not strictly: one of the recorded changes is an integer that strict reading refuses.
  auto rows = ParseJson(ReadFile(testing_support::TestData("bluffs/rows.json")).value_or(""));
  ASSERT_TRUE(good);
  ASSERT_TRUE(rows) << rows.error().Text();
  std::set<std::string> covered;
  for (auto it = rows->begin(); it != rows->end(); ++it) {
    // From the files alone: the good report and the recorded change, not the program that made them.
    Json report = good->patch((*it)["patch"]);
    EXPECT_EQ(Json(Analyze(report, Quick()).Codes()), (*it)["codes"]) << it.key();
    covered.insert((*it)["row"].get<std::string>());
  }
  EXPECT_EQ(covered.size(), 122u);
}

}  // namespace
}  // namespace helix::analysis
