// The object store and the run store under everything that goes wrong with disks and processes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/random.h"
#include "core/evidence/digest.h"
#include "core/evidence/run_store.h"
#include "tests/support/paths.h"

namespace helix::evidence {
namespace {

namespace fs = std::filesystem;
using testing_support::ScratchDir;

std::string ObjectPath(const std::string& folder, const std::string& digest) {
  return folder + "/objects/" + digest.substr(0, 2) + "/" + digest.substr(2);
}

TEST(ObjectStore, GivesBackWhatWasPutUnderItsDigest) {
  auto store = ObjectStore::Open(ScratchDir());
  ASSERT_TRUE(store) << store.error().Text();
  for (const std::string& bytes : {std::string(), std::string("abc"), std::string(100'000, '\0')}) {
    auto digest = store->Put(bytes);
    ASSERT_TRUE(digest) << digest.error().Text();
    EXPECT_EQ(*digest, Sha256Hex(bytes));
    EXPECT_EQ(store->Get(*digest).value(), bytes);
    EXPECT_EQ(store->Put(bytes).value(), *digest);
  }
  EXPECT_EQ(store->List()->size(), 3u);
}

TEST(ObjectStore, RefusesNamesThatAreNoDigest) {
  auto store = ObjectStore::Open(ScratchDir());
  for (const std::string bad : {std::string("../../../../etc/passwd"), std::string(64, 'A'),
                                std::string("ab"), std::string(), "../" + std::string(61, 'a')}) {
    auto bytes = store->Get(bad);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, ErrorCode::kInvalidArgument) << bad;
    EXPECT_FALSE(store->Has(bad));
  }
}

TEST(ObjectStore, MovesACorruptObjectAsideAndNeverUsesIt) {
  for (const std::string damaged : {std::string("abd"), std::string("ab"), std::string()}) {
    std::string folder = ScratchDir();
    auto store = ObjectStore::Open(folder);
    std::string digest = store->Put("abc").value();
    fs::remove(ObjectPath(folder, digest));
    std::ofstream(ObjectPath(folder, digest)) << damaged;
    auto bytes = store->Get(digest);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, ErrorCode::kIo);
    EXPECT_TRUE(fs::exists(folder + "/quarantine/" + digest));
    EXPECT_EQ(store->Get(digest).error().code, ErrorCode::kNotFound);
    EXPECT_TRUE(store->Put("abc"));
    EXPECT_EQ(store->Get(digest).value(), "abc");
  }
}

TEST(ObjectStore, AFullDiskLeavesNothingBehind) {
  std::string folder = ScratchDir();
  int calls = 0;
  StoreFaults faults;
  faults.write = [&](int fd, const char* data, std::size_t size) -> long {
    if (++calls % 2 == 1)
      return ::write(fd, data, std::min<std::size_t>(size, 10));  // a torn write, then none
    errno = ENOSPC;
    return -1;
  };
  auto store = ObjectStore::Open(folder, faults);
  auto digest = store->Put(std::string(1000, 'x'));
  ASSERT_FALSE(digest);
  EXPECT_NE(digest.error().hint.find("free space"), std::string::npos) << digest.error().Text();
  EXPECT_TRUE(fs::is_empty(folder + "/tmp"));
  EXPECT_TRUE(store->List()->empty());
}

TEST(ObjectStore, RefusesAStoreOfANewerFormat) {
  std::string folder = ScratchDir();
  std::ofstream(folder + "/FORMAT") << "helix-objects 2 blake3\n";
  auto store = ObjectStore::Open(folder);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kRefused);
}

TEST(ObjectStore, DoesNotFollowASymbolicLink) {
  std::string folder = ScratchDir();
  auto store = ObjectStore::Open(folder);
  std::string digest = store->Put("abc").value();
  std::ofstream(folder + "/outside") << "abc";
  fs::remove(ObjectPath(folder, digest));
  fs::create_symlink(folder + "/outside", ObjectPath(folder, digest));
  EXPECT_FALSE(store->Get(digest));
}

TEST(ObjectStore, EightWritersAtOnceStoreEveryObjectOnce) {
  std::string folder = ScratchDir();
  std::vector<pid_t> writers;
  for (int w = 0; w < 8; ++w) {
    pid_t pid = ::fork();
    if (pid == 0) {
      auto store = ObjectStore::Open(folder);
      bool ok = store.has_value();
      for (int i = 0; ok && i < 40; ++i) ok = store->Put("object " + std::to_string(i)).has_value();
      ::_exit(ok ? 0 : 1);
    }
    writers.push_back(pid);
  }
  for (pid_t pid : writers) {
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  auto store = ObjectStore::Open(folder);
  EXPECT_EQ(store->List()->size(), 40u);
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(store->Get(Sha256Hex("object " + std::to_string(i))));
  EXPECT_TRUE(fs::is_empty(folder + "/tmp"));
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
  for (const std::string bad : {std::string("r"), std::string("../x"), std::string(".hidden"), std::string(),
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

// Every report on disk is whole, in the log, and names only objects that are there.
void ExpectSoundStore(const std::string& folder) {
  auto store = RunStore::Open(folder);
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
