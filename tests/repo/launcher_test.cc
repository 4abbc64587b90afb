// The launcher that clients start, and the pull hook's script: their exit codes, and a clean standard output.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "core/base/file.h"
#include "tests/support/paths.h"

namespace helix::repo {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

Outcome Shell(const std::string& scratch, const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen(("cd '" + scratch + "' && " + command + " 2>err.txt").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.out.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  outcome.err = ReadFile(scratch + "/err.txt").value_or("");
  return outcome;
}

void WriteExecutable(const std::string& path, const std::string& text) {
  ASSERT_TRUE(WriteFileAtomic(path, text, 0755));
}

// A copy outside the repository, so that a built binary beside it is not found.
std::string CopiedLauncher(const std::string& scratch) {
  fs::create_directories(scratch + "/plugin/bin");
  fs::copy_file(testing_support::SourceDir() + "/bin/helix-perf-cache-launcher",
                scratch + "/plugin/bin/launcher");
  return "env -i PATH=/usr/bin:/bin HOME=" + scratch + " ";
}

TEST(Launcher, SaysOnStandardErrorHowToGetABinary) {
  const std::string scratch = testing_support::ScratchDir();
  const std::string env = CopiedLauncher(scratch);
  if (fs::exists("/usr/local/bin/helix-perf-cache") || fs::exists("/usr/bin/helix-perf-cache")) {
    GTEST_SKIP() << "a helix-perf-cache is installed on this system";
  }
  const auto outcome = Shell(scratch, env + "plugin/bin/launcher serve");
  EXPECT_EQ(outcome.exit_code, 127);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("scripts/demo"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("cmake --install"), std::string::npos) << outcome.err;
}

TEST(Launcher, StartsTheBinaryOfTheHomeFolderWithItsArguments) {
  const std::string scratch = testing_support::ScratchDir();
  const std::string env = CopiedLauncher(scratch);
  WriteExecutable(scratch + "/.local/bin/helix-perf-cache", "#!/bin/sh\necho home \"$1\" \"$2\"\nexit 3\n");
  const auto outcome = Shell(scratch, env + "plugin/bin/launcher serve 'two words'");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "home serve two words\n");
}

TEST(Launcher, PrefersTheBinaryBesideItself) {
  const std::string scratch = testing_support::ScratchDir();
  const std::string env = CopiedLauncher(scratch);
  WriteExecutable(scratch + "/.local/bin/helix-perf-cache", "#!/bin/sh\necho home\n");
  WriteExecutable(scratch + "/plugin/bin/helix-perf-cache", "#!/bin/sh\necho bundled\n");
  EXPECT_EQ(Shell(scratch, env + "plugin/bin/launcher").out, "bundled\n");
}

TEST(Launcher, ANamedBinaryThatIsNotThereIsAnErrorAndNotReplacedByAnother) {
  const std::string scratch = testing_support::ScratchDir();
  const std::string env = CopiedLauncher(scratch) + "HELIX_PERF_CACHE_BIN=/nonexistent/x ";
  WriteExecutable(scratch + "/.local/bin/helix-perf-cache", "#!/bin/sh\necho home\n");
  const auto outcome = Shell(scratch, env + "plugin/bin/launcher");
  EXPECT_EQ(outcome.exit_code, 127);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("/nonexistent/x"), std::string::npos);
}

std::string RegisterScript() {
  return "bash " + testing_support::SourceDir() + "/register.sh ";
}

TEST(RegisterScript, LinksTheSkillsAndKeepsTheProjectsOtherServers) {
  const std::string scratch = testing_support::ScratchDir();
  ASSERT_TRUE(
      WriteFileAtomic(scratch + "/project/.mcp.json", R"({"mcpServers":{"other":{"command":"o"}},"x":1})"));
  fs::create_directories(scratch + "/project/skills/check-cache");
  for (int run = 0; run < 2; ++run) EXPECT_EQ(Shell(scratch, RegisterScript() + "project").exit_code, 0);
  const std::string merged = ReadFile(scratch + "/project/.mcp.json").value_or("");
  EXPECT_NE(merged.find("\"other\""), std::string::npos) << merged;
  EXPECT_NE(merged.find("helix-perf-cache-launcher"), std::string::npos) << merged;
  EXPECT_NE(merged.find("\"x\": 1"), std::string::npos) << merged;
  EXPECT_TRUE(fs::is_symlink(scratch + "/project/skills/prove-a-claim"));
  EXPECT_FALSE(fs::is_symlink(scratch + "/project/skills/check-cache"))
      << "a folder of the project was replaced";
}

TEST(RegisterScript, LogsAFailureAndNeverFailsTheHook) {
  const std::string scratch = testing_support::ScratchDir();
  ASSERT_TRUE(WriteFileAtomic(scratch + "/project/.mcp.json", "{ not json"));
  const auto outcome = Shell(scratch, RegisterScript() + "project");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("not JSON"), std::string::npos) << outcome.err;
  EXPECT_EQ(ReadFile(scratch + "/project/.mcp.json").value_or(""), "{ not json");
  EXPECT_EQ(Shell(scratch, RegisterScript() + "gone").exit_code, 0);
}

}  // namespace
}  // namespace helix::repo
