#include "core/process/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "tests/support/paths.h"

namespace helix::process {
namespace {

using testing_support::ScratchDir;

ChildOptions Shell(const std::string& folder, const std::string& script) {
  ChildOptions options;
  options.argv = {"/bin/sh", "-c", script};
  options.env = {"PATH=/usr/bin:/bin"};
  options.log_file = folder + "/log";
  options.folder = folder;
  return options;
}

// Running and not a zombie.
bool Alive(int pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t paren = text.rfind(')');
  return paren != std::string::npos && text.size() > paren + 2 && text[paren + 2] != 'Z';
}

bool GoneWithin(int pid, int ms) {
  for (int i = 0; i < ms / 10; ++i) {
    if (!Alive(pid)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// The number in a file that a script writes once it is ready.
int NumberIn(const std::string& path) {
  for (int i = 0; i < 500; ++i) {
    auto text = ReadFile(path);
    if (text && text->find('\n') != std::string::npos) return std::stoi(*text);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << path << " was not written";
  return -1;
}

TEST(ChildProcess, ReportsExitStatusAndKeepsBothOutputsInTheLog) {
  const std::string folder = ScratchDir();
  auto child = ChildProcess::Start(Shell(folder, "echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(child) << child.error().message;
  auto end = child->Wait(Millis{5000});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->code, 3);
  EXPECT_EQ(end->Text(), "exited with status 3");
  EXPECT_EQ(child->LogTail(), "out\nerr\n");
  EXPECT_EQ(child->Poll()->code, 3) << "asking again gives the same";
}

TEST(ChildProcess, SaysWhyAProgramCouldNotBeRun) {
  const std::string folder = ScratchDir();
  ChildOptions options = Shell(folder, "");
  options.argv = {"/nonexistent/llama-server"};
  auto missing = ChildProcess::Start(options);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "/nonexistent/llama-server cannot be run: No such file or directory");
  options.argv = {folder};
  EXPECT_NE(ChildProcess::Start(options).error().message.find("Permission denied"), std::string::npos);
  options.argv = {"/bin/true"};
  options.log_file = "/dev/null/log";
  EXPECT_FALSE(ChildProcess::Start(options));
}

TEST(ChildProcess, InheritsNothingButWhatItIsGiven) {
  const int leak = ::open("/dev/null", O_RDWR);  // without close-on-exec
  ASSERT_GE(leak, 3);
  ::setenv("HELIX_TEST_SECRET", "x", 1);
  auto child = ChildProcess::Start(Shell(ScratchDir(), "ls /proc/self/fd | tr '\\n' ' '; cat; env; pwd"));
  ASSERT_TRUE(child && child->Wait(Millis{5000}));
  ::close(leak);
  const std::string log = child->LogTail();
  // 3 is the folder that ls itself reads.
  EXPECT_EQ(log.substr(0, 8), "0 1 2 3 ") << log;
  EXPECT_EQ(log.find("HELIX_TEST_SECRET"), std::string::npos);
}

TEST(ChildProcess, StopIsQuickForAPoliteChild) {
  auto child = ChildProcess::Start(Shell(ScratchDir(), "exec sleep 60"));
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->Poll());
  const std::int64_t start = SteadyNowNs();
  auto end = child->Stop();
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGTERM);
  EXPECT_LT(SteadyNowNs() - start, 1'500'000'000) << "the first SIGTERM was enough";
}

TEST(ChildProcess, StopSendsASecondSigterm) {
  const std::string folder = ScratchDir();
  auto child = ChildProcess::Start(Shell(
      folder,
      "n=0; trap 'n=$((n+1)); [ $n = 2 ] && exit 9' TERM; echo 1 > ready; while :; do sleep 0.01; done"));
  ASSERT_TRUE(child);
  NumberIn(folder + "/ready");
  auto end = child->Stop({Millis{300}, Millis{5000}, Millis{5000}});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->code, 9);
}

TEST(ChildProcess, StopKillsATreeThatIgnoresSigterm) {
  const std::string folder = ScratchDir();
  auto child = ChildProcess::Start(
      Shell(folder, "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > inner; sleep 60; :' & sleep 60; :"));
  ASSERT_TRUE(child);
  const int inner = NumberIn(folder + "/inner");
  auto end = child->Stop({Millis{100}, Millis{100}, Millis{5000}});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGKILL);
  EXPECT_TRUE(GoneWithin(inner, 2000));
}

TEST(ChildProcess, WhatALeaderLeavesBehindGoesWithIt) {
  const std::string folder = ScratchDir();
  auto child = ChildProcess::Start(Shell(folder, "sleep 60 & echo $! > inner; exit 0"));
  ASSERT_TRUE(child && child->Wait(Millis{5000}));
  EXPECT_TRUE(GoneWithin(NumberIn(folder + "/inner"), 2000));
}

TEST(ChildProcess, TheDestructorStops) {
  int pid = 0;
  {
    auto child = ChildProcess::Start(Shell(ScratchDir(), "exec sleep 60"));
    ASSERT_TRUE(child);
    pid = child->pid();
    EXPECT_TRUE(Alive(pid));
  }
  EXPECT_FALSE(Alive(pid));
}

TEST(ChildProcess, NothingIsLeftWhenWeAreKilledAtOnce) {
  const std::string folder = ScratchDir();
  const pid_t victim = ::fork();
  if (victim == 0) {
    auto child = ChildProcess::Start(Shell(folder, "exec sleep 60"));
    if (child) std::ofstream(folder + "/pid") << child->pid() << std::endl;
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_GT(victim, 0);
  ::waitpid(victim, nullptr, 0);
  EXPECT_TRUE(GoneWithin(NumberIn(folder + "/pid"), 2000));
}

TEST(ChildProcess, AWrappedServerIsGoneWhenWeAreKilledLater) {
  const std::string folder = ScratchDir();
  const pid_t victim = ::fork();
  if (victim == 0) {
    auto child = ChildProcess::Start(Shell(folder, "sleep 60 & echo $! > inner; echo $$ > outer; wait"));
    for (;;) ::pause();
  }
  ASSERT_GT(victim, 0);
  const int outer = NumberIn(folder + "/outer");
  const int inner = NumberIn(folder + "/inner");
  EXPECT_TRUE(Alive(outer) && Alive(inner));
  ::kill(victim, SIGKILL);
  ::waitpid(victim, nullptr, 0);
  EXPECT_TRUE(GoneWithin(outer, 2000));
  EXPECT_TRUE(GoneWithin(inner, 2000));
}

TEST(ChildProcess, OutlivesTheThreadThatStartedIt) {
  std::optional<ChildProcess> child;
  std::thread([&] { child = std::move(*ChildProcess::Start(Shell(ScratchDir(), "exec sleep 60"))); }).join();
  EXPECT_FALSE(child->Wait(Millis{200}));
}

TEST(ChildProcess, OneChildsEndDoesNotWaitForAnother) {
  const std::string folder = ScratchDir();
  auto first = ChildProcess::Start(Shell(folder, "exec sleep 60"));
  auto second = ChildProcess::Start(Shell(folder, "exec sleep 60"));
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->Stop());
  EXPECT_TRUE(Alive(second->pid()));
}

TEST(ChildProcess, AStopRequestEndsTheWait) {
  auto child = ChildProcess::Start(Shell(ScratchDir(), "exec sleep 60"));
  ASSERT_TRUE(child);
  std::stop_source source;
  source.request_stop();
  const std::int64_t start = SteadyNowNs();
  EXPECT_FALSE(child->Wait(Millis{30'000}, source.get_token()));
  EXPECT_LT(SteadyNowNs() - start, 5'000'000'000);
}

TEST(FileTail, GivesWholeLastLines) {
  const std::string path = ScratchDir() + "/f";
  ASSERT_TRUE(WriteFileAtomic(path, "one\ntwo\nthree\n"));
  EXPECT_EQ(FileTail(path, 100), "one\ntwo\nthree\n");
  EXPECT_EQ(FileTail(path, 8), "three\n");
  EXPECT_EQ(FileTail(path + "x", 8), "");
}

}  // namespace
}  // namespace helix::process
