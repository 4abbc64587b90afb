// The report that a run leaves behind.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/analysis/verify_report.h"
#include "core/evidence/digest.h"
#include "tests/core/tracks/track_b/bench.h"

namespace helix::tracks {
namespace {

namespace fs = std::filesystem;

std::string FirstBroken(const std::string& path) {
  auto verification = analysis::VerifyReport(path);
  if (!verification) return verification.error().Text();
  return verification->held() ? "" : verification->steps.back().name + " " + verification->steps.back().where;
}

TEST(TrackBReport, IsOnDiskWithItsEvidenceAndVerifies) {
  Bench bench;
  const Json result = bench.Run(true, 5);
  ASSERT_TRUE(result.contains("report_path")) << DumpPretty(result);
  const std::string path = result["report_path"];
  EXPECT_EQ(result["report_sha256"], evidence::Sha256Hex(*ReadFile(path)));
  EXPECT_EQ(FirstBroken(path), "");
  const Json report = *ReadJsonFile(path);
  EXPECT_EQ(report["schema"], "helix.report/1");
  EXPECT_EQ(report["samples"].size(), 25u);
  EXPECT_EQ(report["track_b"]["cache_verdict"]["verdict"], "OK_APPEND_ONLY");
  // The catalogue asks for server times, which a hosted reply does not carry: it cannot say PASS, nor may it
  // FAIL.
  EXPECT_NE(report["verdict"], "FAIL") << report["reason"] << DumpPretty(result["findings"]);
  EXPECT_EQ(result["report_verdict"], report["verdict"]);
  EXPECT_EQ(result["verdict"], "PASS") << DumpPretty(result["findings"]);
}

TEST(TrackBReport, AModelThatIsCalledAFakeCannotPassAsOne) {
  Bench bench;
  bench.request.target.model = "fake-1";
  const Json result = bench.Run(true, 5);
  EXPECT_EQ(result["verdict"], "FAIL");
  EXPECT_TRUE(HasFinding(result, "stub_as_real"));
}

TEST(TrackBReport, AChangedCounterOrByteIsFound) {
  Bench bench;
  const std::string path = bench.Run(true, 5)["report_path"];
  const std::string original = *ReadFile(path);
  std::string changed = original;
  const auto at = changed.find("\"cached_n\":1");
  ASSERT_NE(at, std::string::npos);
  changed[at + 11] = '2';
  ASSERT_TRUE(WriteFileAtomic(path, changed));
  EXPECT_NE(FirstBroken(path).find("/samples/"), std::string::npos);
  ASSERT_TRUE(WriteFileAtomic(path, original));
  EXPECT_EQ(FirstBroken(path), "");
  const std::string reply = (*ReadJsonFile(path))["samples"][0]["raw_sha256"];
  const std::string object = bench.dir + "/store/objects/" + reply.substr(0, 2) + "/" + reply.substr(2);
  ASSERT_TRUE(fs::exists(object));
  fs::permissions(object, fs::perms::owner_all);
  ASSERT_TRUE(WriteFileAtomic(object, "another reply"));
  EXPECT_EQ(FirstBroken(path).substr(0, 7), "objects");
}

TEST(TrackBReport, ARunThatWasStoppedListsTheCallsThatWereNotMade) {
  Bench bench;
  const Json result = bench.Run(true, 0.06);
  const Json report = *ReadJsonFile(result["report_path"]);
  EXPECT_EQ(report["samples"].size(), 25u);
  EXPECT_EQ(report["samples"][24]["status"], "not_run");
  EXPECT_NE(report["verdict"], "PASS");
  EXPECT_NE(result["verdict"], "PASS");
  EXPECT_EQ(FirstBroken(result["report_path"]), "");
}

TEST(TrackBReport, NoFileOfTheFolderHoldsTheKey) {
  for (auto manner : {FakeMessagesApi::Manner::kCaches, FakeMessagesApi::Manner::kRefusesKey}) {
    Bench bench;
    bench.api.manner = manner;
    const Json result = bench.Run(true, 5);
    EXPECT_EQ(DumpJson(result).find(kKey), std::string::npos);
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(bench.dir)) {
      if (!entry.is_regular_file()) continue;
      ++files;
      EXPECT_EQ(ReadFile(entry.path().string())->find(kKey), std::string::npos) << entry.path();
    }
    EXPECT_GT(files, 3u);
  }
}

TEST(TrackBReport, ACopyGoesWhereTheUserAsked) {
  Bench bench;
  bench.request.out = bench.dir + "/copy.json";
  const Json result = bench.Run(true, 5);
  EXPECT_EQ(*ReadFile(bench.request.out), *ReadFile(result["report_path"]));
}

}  // namespace
}  // namespace helix::tracks
