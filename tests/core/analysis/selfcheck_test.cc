// The checker is checked: golden reports, and what happens when a check is taken away.
#include "core/analysis/selfcheck.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/analysis/analyze.h"
#include "core/analysis/checks/check.h"
#include "core/analysis/golden/boundaries.h"
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
  EXPECT_GE(result.boundaries, 60u);
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

// Not strictly: one of the recorded changes is an integer that strict reading refuses.
Json Fixture(const std::filesystem::path& path) {
  auto json = ParseJson(ReadFile(path.string()).value_or(""));
  EXPECT_TRUE(json) << path;
  return json ? *json : Json::object();
}

std::vector<std::filesystem::path> FilesOf(const std::string& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(testing_support::TestData(folder)))
    out.push_back(entry.path());
  return out;
}

TEST(GoldenFiles, EveryRowHasAFileThatRaisesItsCode) {
  auto good = ReadJsonFile(testing_support::TestData("golden_good.json"));
  ASSERT_TRUE(good);
  std::set<std::string> rows;
  std::set<std::string> checks;
  for (const auto& path : FilesOf("bluffs/rows")) {
    Json fixture = Fixture(path);
    // From the files alone: the good report and the recorded change, not the program that made them.
    Json report = good->patch(fixture["patch"]);
    EXPECT_EQ(Json(Analyze(report, Quick()).Codes()), fixture["codes"]) << path;
    rows.insert(fixture["row"].get<std::string>());
    checks.insert(fixture["row"].get<std::string>() + ":" + fixture["code"].get<std::string>());
  }
  EXPECT_EQ(rows.size(), 122u);
  for (const auto& check : Catalogue())
    EXPECT_EQ(checks.count(std::string(check.row) + ":" + check.code), 1u) << check.row;
}

TEST(GoldenFiles, BothSidesOfEveryThresholdAreKept) {
  auto good = ReadJsonFile(testing_support::TestData("golden_good.json"));
  ASSERT_TRUE(good);
  auto files = FilesOf("bluffs/boundaries");
  EXPECT_EQ(files.size(), Boundaries().size());
  for (const auto& path : files) {
    Json fixture = Fixture(path);
    for (const char* side : {"inside", "beyond"}) {
      auto codes = Analyze(good->patch(fixture[side]["patch"]), Quick()).Codes();
      EXPECT_EQ(Json(codes), fixture[side]["codes"]) << path << " " << side;
      bool raised = std::binary_search(codes.begin(), codes.end(), fixture["code"].get<std::string>());
      EXPECT_EQ(raised, std::string(side) == "beyond") << path << " " << side;
    }
  }
}

// The programs that make the fixtures and the files may not drift apart.
TEST(GoldenFiles, AreThoseOfTheRecipes) {
  std::set<std::string> named;
  for (const auto& recipe : Recipes()) named.insert(std::string(recipe.row) + "-" + recipe.name + ".json");
  EXPECT_EQ(named.size(), Recipes().size());
  std::set<std::string> kept;
  for (const auto& path : FilesOf("bluffs/rows")) kept.insert(path.filename().string());
  EXPECT_EQ(kept, named) << "run write_golden testdata";
}

}  // namespace
}  // namespace helix::analysis
