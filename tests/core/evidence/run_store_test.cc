// The run store under everything that goes wrong with disks and processes.
#include "core/evidence/run_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/random.h"
#include "core/evidence/digest.h"
#include "tests/support/paths.h"

namespace helix::evidence {
namespace {

namespace fs = std::filesystem;
using testing_support::ScratchDir;

std::string ObjectPath(const std::string& folder, const std::string& digest) {
  return folder + "/objects/" + digest.substr(0, 2) + "/" + digest.substr(2);
}

Result<StoredReport> MakeRun(RunStore& store, const std::string& id, int objects) {
  if (auto s = store.Begin(id, Sha256Hex("plan")); !s) return tl::make_unexpected(s.error());
  std::vector<std::string> digests;
  for (int i = 0; i < objects; ++i) {
    auto digest = store.objects().Put(id + " reply " + std::to_string(i));
    if (!digest) return tl::make_unexpected(digest.error());
    digests.push_back(*digest);
  }
  return store.Commit(id, {{"samples", digests}}, digests);
}

TEST(RunStore, ChainsRunsAndKeepsAbandonedOnesVisible) {
  auto store = RunStore::Open(ScratchDir());
  ASSERT_TRUE(MakeRun(*store, "one", 2));
  ASSERT_TRUE(store->Begin("abandoned", Sha256Hex("plan")));
  auto last = MakeRun(*store, "two", 2);
  ASSERT_TRUE(last);
  auto log = store->ReadLog();
  ASSERT_TRUE(log) << log.error().Text();
  ASSERT_EQ(log->size(), 5u);
  EXPECT_EQ((*log)[2].run_id, "abandoned");
  auto report = ReadJsonFile(last->path);
  EXPECT_EQ(StringAt(*report, "chain/previous"), (*log)[3].line_sha256);
  EXPECT_EQ(last->sha256, (*log)[4].digest);
}

TEST(RunStore, WritesNoReportThatNamesAnAbsentObject) {
  std::string folder = ScratchDir();
  auto store = RunStore::Open(folder);
  ASSERT_TRUE(store->Begin("r", Sha256Hex("plan")));
  EXPECT_FALSE(store->Commit("r", Json::object(), {Sha256Hex("never stored")}));
  EXPECT_FALSE(fs::exists(folder + "/runs/r/report.json"));
}

TEST(RunStore, RefusesRunIdsThatAreInUseOrLeaveTheFolder) {
  auto store = RunStore::Open(ScratchDir());
  ASSERT_TRUE(store->Begin("r", "p"));
  for (const std::string& bad : {std::string("r"), std::string("../x"), std::string(".hidden"), std::string(),
                                std::string(65, 'a'), std::string("a/b")}) {
    EXPECT_FALSE(store->Begin(bad, "p")) << bad;
  }
}

TEST(RunStore, ATornLastLineOfTheLogIsCutOff) {
  std::string folder = ScratchDir();
  auto store = RunStore::Open(folder);
  ASSERT_TRUE(MakeRun(*store, "one", 1));
  std::ofstream(folder + "/log", std::ios::app) << "{\"event\":\"beg";
  EXPECT_EQ(store->ReadLog()->size(), 2u);
  ASSERT_TRUE(MakeRun(*store, "two", 1));
  EXPECT_EQ(store->ReadLog()->size(), 4u);
}

TEST(RunStore, AnEditedLogNamesItsLine) {
  std::string folder = ScratchDir();
  auto store = RunStore::Open(folder);
  ASSERT_TRUE(MakeRun(*store, "one", 1));
  ASSERT_TRUE(MakeRun(*store, "two", 1));
  std::string log = *ReadFile(folder + "/log");
  log.replace(log.find("one"), 3, "won");
  std::ofstream(folder + "/log") << log;
  auto read = store->ReadLog();
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("line 2"), std::string::npos) << read.error().message;
}

TEST(RunStore, GarbageCollectionKeepsReferencedAndYoungObjects) {
  auto store = RunStore::Open(ScratchDir());
  ASSERT_TRUE(MakeRun(*store, "one", 3));
  std::string loose = store->objects().Put("of a run that is going on").value();
  EXPECT_EQ(store->CollectGarbage().value(), 0u);
  EXPECT_TRUE(store->objects().Has(loose));
  EXPECT_EQ(store->CollectGarbage(0).value(), 1u);
  EXPECT_FALSE(store->objects().Has(loose));
  EXPECT_TRUE(store->objects().Get(Sha256Hex("one reply 2")));
}

TEST(RunStore, KnowsTheRunsBeforeAReport) {
  auto store = RunStore::Open(ScratchDir());
  ASSERT_TRUE(MakeRun(*store, "one", 1));
  ASSERT_TRUE(store->Begin("open", Sha256Hex("plan")));
  ASSERT_TRUE(MakeRun(*store, "two", 1));
  auto before = store->RunsBefore("two");
  ASSERT_TRUE(before);
  ASSERT_EQ(before->size(), 2u);
  EXPECT_EQ((*before)[0].run_id, "one");
  EXPECT_EQ((*before)[0].plan_sha256, Sha256Hex("plan"));
  EXPECT_FALSE((*before)[0].report_sha256.empty());
  EXPECT_EQ((*before)[1].run_id, "open");
  EXPECT_TRUE((*before)[1].report_sha256.empty());
  EXPECT_TRUE(store->RunsBefore("one")->empty());
  EXPECT_EQ(store->RunsBefore("not begun")->size(), 3u);
}

TEST(RunStore, OpenedReadOnlyChangesNothing) {
  std::string folder = ScratchDir();
  EXPECT_FALSE(RunStore::OpenReadOnly(folder)) << "there is no store";
  EXPECT_TRUE(fs::is_empty(folder));
  std::string digest;
  {
    auto store = RunStore::Open(folder);
    ASSERT_TRUE(MakeRun(*store, "one", 1));
    digest = Sha256Hex("one reply 0");
  }
  auto store = RunStore::OpenReadOnly(folder);
  ASSERT_TRUE(store) << store.error().Text();
  EXPECT_EQ(store->objects().Get(digest).value(), "one reply 0");
  EXPECT_EQ(store->objects().Put("x").error().code, ErrorCode::kRefused);
  EXPECT_EQ(store->Begin("two", "p").error().code, ErrorCode::kRefused);
  EXPECT_EQ(store->Commit("one", Json::object(), {}).error().code, ErrorCode::kRefused);
  EXPECT_EQ(store->CollectGarbage(0).error().code, ErrorCode::kRefused);
  fs::remove(ObjectPath(folder + "/store", digest));
  std::ofstream(ObjectPath(folder + "/store", digest)) << "changed";
  EXPECT_EQ(store->objects().Get(digest).error().code, ErrorCode::kIo);
  EXPECT_TRUE(fs::exists(ObjectPath(folder + "/store", digest))) << "it was moved";
}

// Every report on disk is whole, in the log, and names only objects that are there.
void ExpectReportsWhole(const std::string& folder) {
  auto store = RunStore::OpenReadOnly(folder);
  ASSERT_TRUE(store) << store.error().Text();
  auto log = store->ReadLog();
  ASSERT_TRUE(log) << log.error().Text();
  for (const auto& run : fs::directory_iterator(folder + "/runs")) {
    std::string path = run.path().string() + "/report.json";
    if (!fs::exists(path)) continue;
    auto report = ReadJsonFile(path);
    ASSERT_TRUE(report) << report.error().Text();
    for (const auto& digest : (*report)["samples"])
      EXPECT_TRUE(store->objects().Get(digest.get<std::string>())) << path;
    std::string sha = Sha256Hex(*ReadFile(path));
    EXPECT_TRUE(std::any_of(log->begin(), log->end(), [&](const LogEntry& e) { return e.digest == sha; }))
        << path;
  }
}

void ExpectSoundStore(const std::string& folder) {
  ASSERT_TRUE(RunStore::Open(folder));
  ExpectReportsWhole(folder);
}

TEST(RunStore, GarbageCollectionDuringWritesLeavesNoReportOfAbsentObjects) {
  std::string folder = ScratchDir();
  ASSERT_TRUE(RunStore::Open(folder));
  pid_t collector = ::fork();
  if (collector == 0) {
    auto store = RunStore::Open(folder);
    for (;;) {
      if (!store->CollectGarbage(0)) ::_exit(1);  // age 0: also what writers have just put
    }
  }
  std::vector<pid_t> writers;
  for (int w = 0; w < 8; ++w) {
    pid_t pid = ::fork();
    if (pid == 0) {
      auto store = RunStore::Open(folder);
      // A run whose objects were collected is refused, never stored without them.
      for (int i = 0; store && i < 25; ++i)
        (void)MakeRun(*store, std::to_string(w) + "-" + std::to_string(i), 3);
      ::_exit(store ? 0 : 1);
    }
    writers.push_back(pid);
  }
  for (pid_t pid : writers) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(collector, &status, WNOHANG), 0) << "the collector failed";
  ::kill(collector, SIGKILL);
  ::waitpid(collector, &status, 0);
  ExpectSoundStore(folder);
}

TEST(RunStore, GarbageCollectionAtItsUsualAgeTakesNothingFromWriters) {
  std::string folder = ScratchDir();
  ASSERT_TRUE(RunStore::Open(folder));
  pid_t writer = ::fork();
  if (writer == 0) {
    auto store = RunStore::Open(folder);
    bool ok = store.has_value();
    for (int i = 0; ok && i < 30; ++i) ok = MakeRun(*store, std::to_string(i), 3).has_value();
    ::_exit(ok ? 0 : 1);
  }
  auto store = RunStore::Open(folder);
  int status = 0;
  while (::waitpid(writer, &status, WNOHANG) == 0) EXPECT_EQ(store->CollectGarbage().value(), 0u);
  EXPECT_EQ(status, 0);
  ExpectSoundStore(folder);
}

// Runs until the disk is full, in a child so that the limits end with it. 0: the store said so and stayed
// sound.
int FillUp(const std::string& folder) {
  auto store = RunStore::Open(folder);
  if (!store) return 2;
  for (int i = 0; i < 10'000; ++i) {
    std::string id = std::to_string(i);
    if (!store->Begin(id, Sha256Hex("plan"))) return 0;
    std::vector<std::string> digests;
    for (int k = 0; k < 3; ++k) {
      auto digest =
          store->objects().Put(id + std::string(20'000 + 977 * static_cast<std::size_t>(i % 7), 'a' + k));
      if (!digest) return 0;
      digests.push_back(*digest);
    }
    if (!store->Commit(id, {{"samples", digests}, {"text", std::string(3000, 'x')}}, digests)) return 0;
  }
  return 3;
}

TEST(RunStore, AFullDiskEndsARunAndLeavesTheStoreSound) {
  std::string folder = ScratchDir();
  if (::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "mounting a small disk needs root";
  pid_t pid = ::fork();
  if (pid == 0) ::_exit(FillUp(folder));
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  {
    auto log = RunStore::OpenReadOnly(folder)->ReadLog();
    ASSERT_TRUE(log) << log.error().Text();
    EXPECT_GT(log->size(), 4u) << "nothing was stored before the disk was full";
    ExpectReportsWhole(folder);
  }
  ::umount(folder.c_str());
}

// The kernel cuts writes short at this size: a real torn write, without root.
TEST(RunStore, AWriteThatTheKernelCutsShortIsAnErrorAndLeavesNothing) {
  std::string folder = ScratchDir();
  ASSERT_TRUE(RunStore::Open(folder));
  pid_t pid = ::fork();
  if (pid == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{10'000, 10'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto store = RunStore::Open(folder);
    bool refused = store && !store->objects().Put(std::string(25'000, 'x'));
    bool small = store && MakeRun(*store, "small", 2).has_value();
    Json large{{"text", std::string(25'000, 'y')}};
    bool no_report = store && store->Begin("large", "p") && !store->Commit("large", large, {});
    ::_exit(refused && small && no_report ? 0 : 1);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::is_empty(folder + "/store/tmp"));
  EXPECT_FALSE(fs::exists(folder + "/runs/large/report.json"));
  ExpectSoundStore(folder);
}

TEST(RunStore, KilledTwoHundredTimesItNeverHoldsAReportOfAbsentObjects) {
  std::string folder = ScratchDir();
  ASSERT_TRUE(RunStore::Open(folder));
  SplitMix64 random(7);
  int finished = 0;
  for (int i = 0; i < 200; ++i) {
    pid_t pid = ::fork();
    if (pid == 0) {
      auto store = RunStore::Open(folder);
      for (int k = 0; store && k < 50; ++k) {
        if (!MakeRun(*store, std::to_string(i) + "-" + std::to_string(k), 4)) break;
      }
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(200 + random.Below(12'000)));
    ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (WIFEXITED(status)) ++finished;
  }
  EXPECT_LT(finished, 200);
  ExpectSoundStore(folder);
}

}  // namespace
}  // namespace helix::evidence
