// Whole Track A runs on the stub (a fake), killed at random moments: what is on disk is always sound.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "core/analysis/analyze.h"
#include "core/analysis/verify_report.h"
#include "core/backend/stub.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/random.h"
#include "core/evidence/run_store.h"
#include "core/experiment/plan_order.h"
#include "core/tracks/track_a.h"
#include "tests/support/paths.h"

namespace helix::tracks {
namespace {

// `later_ns` sets the stub's clock forward: two runs that start in the same second at the same time have one
// id.
Result<Json> RunStub(const std::string& folder, std::uint64_t seed, std::int64_t later_ns = 0) {
  backend::StubOptions stub_options;
  stub_options.seed = seed;
  auto stub = std::make_unique<backend::Stub>(stub_options);
  backend::Stub* clock = stub.get();
  Target target;
  target.identity = *stub->Identify({});
  target.backend = std::move(stub);
  Settings settings;
  settings.report_dir = folder;
  TrackAOptions options;
  options.seed = seed;
  return RunTrackAOn(target, options, settings, {}, [=] { return clock->NowNs() + later_ns; });
}

analysis::Verification VerifyOrFail(const std::string& path) {
  auto verification = analysis::VerifyReport(path, {experiment::OrderFromSeed});
  EXPECT_TRUE(verification) << path;
  return verification ? *verification : analysis::Verification{};
}

// How many reports there are; each must verify.
std::size_t ExpectSoundFolder(const std::string& folder) {
  auto store = evidence::RunStore::Open(folder);
  EXPECT_TRUE(store) << store.error().Text();
  EXPECT_TRUE(store && store->ReadLog());
  std::size_t reports = 0;
  for (const auto& run : std::filesystem::directory_iterator(folder + "/runs")) {
    std::string path = run.path().string() + "/report.json";
    if (!std::filesystem::exists(path)) continue;
    ++reports;
    auto verification = VerifyOrFail(path);
    EXPECT_TRUE(verification.held()) << path << ": " << DumpJson(verification.ToJson());
  }
  return reports;
}

TEST(KilledRun, TwoHundredTimesItNeverLeavesAReportOfAbsentObjects) {
  std::string folder = testing_support::ScratchDir();
  std::int64_t start = SteadyNowNs();
  ASSERT_TRUE(RunStub(folder, 1000));
  // About as long as a run takes now: another program beside the test may slow one run down and not the next.
  auto window_us = static_cast<std::uint64_t>((SteadyNowNs() - start) / 1000);
  SplitMix64 random(7);
  int killed = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) ::_exit(RunStub(folder, i) ? 0 : 1);
    ::usleep(static_cast<useconds_t>(random.Below(window_us + window_us / 8)));
    ::kill(pid, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    if (WIFSIGNALED(status)) ++killed;
    window_us = WIFSIGNALED(status) ? window_us + window_us / 50 : window_us - window_us / 10;
  }
  EXPECT_GT(killed, 100);
  EXPECT_GT(ExpectSoundFolder(folder), 0u);
  ASSERT_TRUE(RunStub(folder, 2000)) << "the folder cannot be used any more";
}

class StoredRun : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing_support::ScratchDir();
    auto run = RunStub(folder_, 5);
    ASSERT_TRUE(run) << run.error().Text();
    path_ = (*run)["report_path"].get<std::string>();
    report_ = *ReadJsonFile(path_);
  }
  std::string folder_, path_;
  Json report_;
};

TEST_F(StoredRun, VerifiesWithItsOrderDrawnAgain) {
  auto verification = VerifyOrFail(path_);
  EXPECT_TRUE(verification.held()) << DumpJson(verification.ToJson());
  std::map<std::string, bool> made;
  for (const auto& step : verification.steps) made[step.name] = step.made;
  for (const char* step :
       {"parts", "log", "objects", "merkle_root", "plan", "environment", "order", "statistics", "verdict"})
    EXPECT_TRUE(made[step]) << step;
}

TEST_F(StoredRun, HasNoFieldOutsideTheSchema) {
  EXPECT_TRUE(analysis::Analyze(report_).unknown_fields.empty())
      << Json(analysis::Analyze(report_).unknown_fields).dump();
}

TEST_F(StoredRun, AFlippedBitInAnyObjectIsFoundAndTheObjectNamed) {
  auto store = evidence::ObjectStore::Open(folder_ + "/store");
  auto objects = *store->List();
  ASSERT_GT(objects.size(), 40u) << "requests, replies, plan and environment";
  SplitMix64 random(3);
  for (const auto& digest : objects) {
    std::string path = folder_ + "/store/objects/" + digest.substr(0, 2) + "/" + digest.substr(2);
    std::string bytes = *ReadFile(path);
    std::string changed = bytes;
    std::uint64_t bit = random.Below(bytes.size() * 8);
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    ASSERT_TRUE(WriteFileAtomic(path, changed));
    auto failure = VerifyOrFail(path_).ToJson()["first_failure"];
    ASSERT_FALSE(failure.is_null()) << digest;
    EXPECT_EQ(failure["where"], digest);
    EXPECT_EQ(*ReadFile(path), changed) << "verify must not touch what it reads";
    ASSERT_TRUE(WriteFileAtomic(path, bytes));
  }
  EXPECT_TRUE(VerifyOrFail(path_).held());
}

TEST_F(StoredRun, AChangedDigitAnywhereInTheReportIsFoundAndItsPartNamed) {
  std::string bytes = *ReadFile(path_);
  SplitMix64 random(4);
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  for (int i = 0; i < 150; ++i) {
    std::size_t at = bytes.find_first_of("0123456789", random.Below(bytes.size() - 200));
    std::string changed = bytes;
    changed[at] = static_cast<char>('0' + (changed[at] - '0' + 1 + random.Below(9)) % 10);
    ASSERT_TRUE(WriteFileAtomic(path_, changed));
    auto failure = VerifyOrFail(path_).ToJson()["first_failure"];
    ASSERT_FALSE(failure.is_null()) << "digit at byte " << at;
    bool names = !failure["where"].get<std::string>().empty() || failure["step"] == "json";
    EXPECT_TRUE(names) << DumpJson(failure) << " digit at byte " << at;
  }
}

TEST_F(StoredRun, AnOrderThatTheSeedDoesNotGiveIsFound) {
  Json plan = report_["plan"];
  auto order = experiment::OrderFromSeed(plan);
  ASSERT_TRUE(order);
  EXPECT_EQ(Json(*order), plan["order"]);
  plan["seed"] = plan["seed"].get<int>() + 1;
  EXPECT_NE(Json(*experiment::OrderFromSeed(plan)), plan["order"]);
  plan.erase("prompts");
  EXPECT_FALSE(experiment::OrderFromSeed(plan)) << "another program's plan cannot be drawn again";
}

TEST_F(StoredRun, ASecondRunOfThePlanCountsBoth) {
  auto again = RunStub(folder_, 5, 1000);
  ASSERT_TRUE(again) << again.error().Text();
  auto report = ReadJsonFile((*again)["report_path"].get<std::string>());
  EXPECT_EQ((*report)["claim"]["runs_executed"], 2);
  EXPECT_EQ((*report)["claim"]["runs_reported"], 2);
  EXPECT_EQ(report_["claim"]["runs_executed"], 1);
}

}  // namespace
}  // namespace helix::tracks
