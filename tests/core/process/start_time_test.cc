#include "core/process/start_time.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

namespace helix::process {
namespace {

TEST(StartTime, OfThisProcessIsANumberAndStaysTheSame) {
  const std::string first = StartTime(getpid());
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first.find_first_not_of("0123456789"), std::string::npos) << first;
  EXPECT_EQ(StartTime(getpid()), first);
}

TEST(StartTime, CountsFieldsFromTheEndOfANameWithBracketsAndSpaces) {
  std::istringstream stat("7 (a) b (c)) S 1 7 7 0 -1 4 5 6 7 8 9 10 11 12 20 0 1 0 4711 99 98\n");
  EXPECT_EQ(StartTimeFrom(stat), "4711");
}

TEST(StartTime, IsEmptyWhereNoProcessHasThePid) {
  EXPECT_EQ(StartTime(-1), "");
}

TEST(StartTime, IsEmptyWhenTheProcessEndsBetweenOpeningAndReading) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    pause();
    _exit(0);
  }
  std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
  ASSERT_TRUE(stat.is_open());
  kill(child, SIGKILL);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  std::string read;
  EXPECT_NO_THROW(read = StartTimeFrom(stat));
  EXPECT_EQ(read, "");
}

}  // namespace
}  // namespace helix::process
