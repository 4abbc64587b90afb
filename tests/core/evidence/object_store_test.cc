// The object store under everything that goes wrong with disks and processes.
#include "core/evidence/object_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "core/evidence/digest.h"
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
  for (const std::string& bad : {std::string("../../../../etc/passwd"), std::string(64, 'A'),
                                std::string("ab"), std::string(), "../" + std::string(61, 'a')}) {
    auto bytes = store->Get(bad);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, ErrorCode::kInvalidArgument) << bad;
    EXPECT_FALSE(store->Has(bad));
  }
}

TEST(ObjectStore, MovesACorruptObjectAsideAndNeverUsesIt) {
  for (const std::string& damaged : {std::string("abd"), std::string("ab"), std::string()}) {
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

}  // namespace
}  // namespace helix::evidence
