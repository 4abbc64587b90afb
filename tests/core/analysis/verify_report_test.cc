// A stored report verifies; after any change it does not, and the place is named.
#include "core/analysis/verify_report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/analysis/finish_report.h"
#include "core/analysis/golden/golden.h"
#include "core/base/file.h"
#include "core/base/random.h"
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
