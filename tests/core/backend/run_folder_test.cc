#include "core/backend/run_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/paths.h"

namespace helix::backend {
namespace {

namespace fs = std::filesystem;

class RunFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* old = std::getenv("TMPDIR")) old_ = old;
    ::setenv("TMPDIR", temporary_.c_str(), 1);
  }
  void TearDown() override { old_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", old_.c_str(), 1); }

  static void Age(const std::string& path) {
    const timespec old[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), old, 0), 0);
  }

  std::string temporary_ = testing_support::ScratchDir();
  std::string old_;
};

TEST_F(RunFolderTest, GoesWithItsObjectAndStaysWhereItWasWanted) {
  std::string path;
  {
    const auto folder = RunFolder::Make("");
    ASSERT_TRUE(folder);
    path = folder->path();
    EXPECT_TRUE(fs::is_directory(path + "/slots"));
  }
  EXPECT_FALSE(fs::exists(path));
  { ASSERT_TRUE(RunFolder::Make(temporary_ + "/wanted")); }
  EXPECT_TRUE(fs::is_directory(temporary_ + "/wanted/slots"));
}

TEST_F(RunFolderTest, OfAKilledProcessIsRemovedByTheNextOneAndOfALivingOneIsNot) {
  const auto living = RunFolder::Make("");
  ASSERT_TRUE(living);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto killed = RunFolder::Make("");
    ::_exit(killed ? 0 : 1);  // runs no destructor, as a kill
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  std::string abandoned;
  for (const auto& entry : fs::directory_iterator(temporary_)) {
    if (entry.path() != living->path()) abandoned = entry.path().string();
  }
  ASSERT_NE(abandoned, "");
  std::ofstream(abandoned + "/slots/big") << "x";
  { ASSERT_TRUE(RunFolder::Make("")); }
  EXPECT_TRUE(fs::exists(abandoned)) << "a new one may be on its way to the lock";
  Age(abandoned);
  Age(living->path());
  { ASSERT_TRUE(RunFolder::Make("")); }
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(living->path()));
}

}  // namespace
}  // namespace helix::backend
