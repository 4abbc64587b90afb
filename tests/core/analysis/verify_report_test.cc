// A stored report verifies; after any change it does not, and the place is named.
#include "core/analysis/verify_report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "core/analysis/finish_report.h"
#include "core/analysis/golden/golden.h"
#include "core/analysis/history.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/evidence/digest.h"
#include "core/evidence/run_store.h"
#include "tests/support/paths.h"

namespace helix::analysis {
namespace {

class VerifyReportTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing_support::ScratchDir();
    auto store = evidence::RunStore::Open(folder_);
    ASSERT_TRUE(store) << store.error().Text();
    Json record = GoldenReport({1, 10, 0.03});
    std::vector<std::string> digests;
    for (auto& s : record["samples"]) {
      int cached = s["server"]["cached_n"].get<int>();
      Json reply{{"content", s["seq"]},
                 {"tokens_evaluated", 2176},
                 {"timings", {{"cache_n", cached}, {"prompt_n", 2176 - cached}}}};
      auto digest = store->objects().Put(DumpJson(reply));
      ASSERT_TRUE(digest);
      s["raw_sha256"] = *digest;
      digests.push_back(*digest);
    }
    ASSERT_TRUE(store->Begin("run-1", record["plan_sha256"].get<std::string>()));
    AnalyzeOptions options;
    FinishReport(record, options);
    auto stored = store->Commit("run-1", record, digests);
    ASSERT_TRUE(stored) << stored.error().Text();
    path_ = stored->path;
    object_ = folder_ + "/store/objects/" + digests[3].substr(0, 2) + "/" + digests[3].substr(2);
    digest_ = digests[3];
  }

  void Overwrite(const std::string& path, const std::string& bytes) {
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    std::ofstream(path, std::ios::binary) << bytes;
  }

  std::string folder_, path_, object_, digest_;
};

TEST_F(VerifyReportTest, HoldsAsItWasWritten) {
  auto v = VerifyReport(path_);
  ASSERT_TRUE(v);
  EXPECT_TRUE(v->held()) << DumpJson(v->ToJson());
  bool tokens = false;
  for (const auto& step : v->steps) tokens |= step.name == "tokens" && step.made && step.held;
  EXPECT_TRUE(tokens) << "token counts were not read from the stored replies";
}

TEST_F(VerifyReportTest, AnyChangedDigitIsFoundAndItsPartNamed) {
  std::string bytes = *ReadFile(path_);
  SplitMix64 random(1);
  int flipped = 0;
  for (int i = 0; i < 60; ++i) {
    std::size_t at = random.Below(bytes.size());
    at = bytes.find_first_of("0123456789", at);
    if (at == std::string::npos) continue;
    std::string changed = bytes;
    changed[at] = changed[at] == '9' ? '8' : static_cast<char>(changed[at] + 1);
    Overwrite(path_, changed);
    auto v = VerifyReport(path_);
    ASSERT_TRUE(v);
    ++flipped;
    EXPECT_FALSE(v->held()) << "digit at byte " << at;
    EXPECT_FALSE(v->ToJson()["first_failure"].is_null());
  }
  EXPECT_GT(flipped, 50);
}

TEST_F(VerifyReportTest, NamesTheSampleThatWasChanged) {
  std::string bytes = *ReadFile(path_);
  auto report = *ParseStrict(bytes);
  report["samples"][4]["client"]["ttft_ns"] =
      report["samples"][4]["client"]["ttft_ns"].get<std::int64_t>() + 1;
  Overwrite(path_, DumpJson(report));
  EXPECT_EQ(VerifyReport(path_)->ToJson()["first_failure"]["where"], "/samples/4");
}

TEST_F(VerifyReportTest, AnyFlippedBitInAnObjectIsFoundAndTheObjectNamed) {
  std::string bytes = *ReadFile(object_);
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 7) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    if (std::filesystem::exists(object_)) std::filesystem::remove(object_);
    std::ofstream(object_, std::ios::binary) << changed;
    auto v = VerifyReport(path_);
    ASSERT_TRUE(v);
    EXPECT_EQ(v->ToJson()["first_failure"]["where"], digest_) << "bit " << bit;
  }
}

// Names, sizes and times of everything in the folder.
std::map<std::string, std::string> Listing(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    auto bytes = entry.is_regular_file() ? *ReadFile(entry.path().string()) : std::string();
    auto changed = entry.last_write_time().time_since_epoch().count();
    out[entry.path().string()] = std::to_string(changed) + " " + bytes;
  }
  return out;
}

TEST_F(VerifyReportTest, ChangesNothingOnDiskAlsoWhenTheStoreIsBroken) {
  auto before = Listing(folder_);
  ASSERT_TRUE(VerifyReport(path_)->held());
  EXPECT_EQ(Listing(folder_), before);
  std::string bytes = *ReadFile(object_);
  bytes[0] ^= 1;
  std::filesystem::remove(object_);
  std::ofstream(object_, std::ios::binary) << bytes;
  before = Listing(folder_);
  EXPECT_EQ(VerifyReport(path_)->ToJson()["first_failure"]["where"], digest_);
  EXPECT_EQ(Listing(folder_), before);
}

TEST_F(VerifyReportTest, AnEarlierRunWithTheSameEvidenceIsAReplay) {
  auto store = evidence::RunStore::Open(folder_);
  auto report = *ReadJsonFile(path_);
  for (const char* part : {"run_id", "chain", "integrity"}) report.erase(part);
  ASSERT_TRUE(store->Begin("run-2", report["plan_sha256"].get<std::string>()));
  auto copy = store->Commit("run-2", report, {});
  ASSERT_TRUE(copy) << copy.error().Text();
  auto failure = VerifyReport(copy->path)->ToJson()["first_failure"];
  EXPECT_EQ(failure["step"], "history") << DumpJson(failure);
  EXPECT_TRUE(VerifyReport(path_)->held()) << "the first one is what was measured";
  auto codes = AnalyzeFile(copy->path)->analysis.Codes();
  EXPECT_EQ(codes, (std::vector<std::string>{"best_of_runs", "replayed_report"}));
  EXPECT_TRUE(AnalyzeFile(path_)->analysis.Codes().empty());
}

TEST_F(VerifyReportTest, OneReplyOfAnEarlierRunIsFound) {
  auto store = evidence::RunStore::Open(folder_);
  Json record = GoldenReport({77, 10, 0.03});
  record["samples"][2]["raw_sha256"] = digest_;
  FinishReport(record);
  ASSERT_TRUE(store->Begin("run-2", record["plan_sha256"].get<std::string>()));
  auto stored = store->Commit("run-2", record, {digest_});
  ASSERT_TRUE(stored);
  EXPECT_EQ(AnalyzeFile(stored->path)->analysis.Codes(), std::vector<std::string>{"evidence_reused"});
}

TEST_F(VerifyReportTest, ARunThatWasBegunAndNeverReportedIsAWarning) {
  auto store = evidence::RunStore::Open(folder_);
  Json record = GoldenReport({78, 10, 0.03});
  FinishReport(record);
  ASSERT_TRUE(store->Begin("broken-off", record["plan_sha256"].get<std::string>()));
  ASSERT_TRUE(store->Begin("run-2", record["plan_sha256"].get<std::string>()));
  auto stored = store->Commit("run-2", record, {});
  auto judged = AnalyzeFile(stored->path)->analysis;
  EXPECT_EQ(judged.Codes(), std::vector<std::string>{"best_of_runs"});
  EXPECT_EQ(judged.verdict, Verdict::kPass) << "a warning: a run can be broken off for many reasons";
}

TEST_F(VerifyReportTest, ATimeThatTheStoredReplyDoesNotGiveIsFound) {
  auto store = evidence::RunStore::Open(folder_);
  Json record = GoldenReport({79, 10, 0.03});
  std::vector<std::string> digests;
  for (auto& s : record["samples"]) {
    int cached = s["server"]["cached_n"].get<int>();
    Json reply{{"content", s["seq"]},
               {"tokens_evaluated", 2176},
               {"timings",
                {{"cache_n", cached}, {"prompt_n", 2176 - cached}, {"prompt_ms", s["server"]["prompt_ms"]}}}};
    digests.push_back(*store->objects().Put(DumpJson(reply)));
    s["raw_sha256"] = digests.back();
  }
  record["samples"][5]["server"]["prompt_ms"] =
      record["samples"][5]["server"]["prompt_ms"].get<double>() * 0.99;
  FinishReport(record);
  ASSERT_TRUE(store->Begin("run-2", record["plan_sha256"].get<std::string>()));
  auto stored = store->Commit("run-2", record, digests);
  auto failure = VerifyReport(stored->path)->ToJson()["first_failure"];
  EXPECT_EQ(failure["where"], "/samples/5/server/prompt_ms") << DumpJson(failure);
}

TEST_F(VerifyReportTest, ARecordOfAnotherSchemaIsVerifiedAsFarAsBytesGo) {
  auto store = evidence::RunStore::Open(folder_);
  ASSERT_TRUE(store->Begin("other", evidence::Sha256Hex("plan")));
  auto stored = store->Commit("other", {{"schema", "helix.equivalence/1"}, {"cases", {digest_}}}, {digest_});
  auto v = VerifyReport(stored->path);
  EXPECT_TRUE(v->held()) << DumpJson(v->ToJson());
  EXPECT_FALSE(v->steps.back().made);
}

TEST_F(VerifyReportTest, AnAbsentObjectAndAForgedLogAreFound) {
  std::filesystem::rename(object_, object_ + ".away");
  EXPECT_EQ(VerifyReport(path_)->ToJson()["first_failure"]["step"], "objects");
  std::filesystem::rename(object_ + ".away", object_);
  EXPECT_TRUE(VerifyReport(path_)->held());
  std::string log = *ReadFile(folder_ + "/log");
  Overwrite(folder_ + "/log", log.substr(log.find('\n') + 1));
  EXPECT_EQ(VerifyReport(path_)->ToJson()["first_failure"]["step"], "log");
}

TEST_F(VerifyReportTest, TheOrderIsDrawnAgainWhereItCanBe) {
  VerifyOptions options;
  options.order_from_seed = [](const Json&) { return std::vector<std::string>{"on", "off"}; };
  EXPECT_EQ(VerifyReport(path_, options)->ToJson()["first_failure"]["step"], "order");
}

TEST(VerifyReport, AFileThatIsNotThereIsAnError) {
  EXPECT_FALSE(VerifyReport("/nonexistent/report.json"));
}

}  // namespace
}  // namespace helix::analysis
