// check-equivalence as a user runs it: how long it takes, how it is stopped, what it says when its server
// dies or its disk is full.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/backend/server_files.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/tracks/equivalence_check.h"
#include "tests/live/live_llama.h"
#include "tests/live/program.h"
#include "tests/support/paths.h"

namespace helix::live {
namespace {

using testing_support::ScratchDir;

Json Parsed(const ProgramRun& run) {
  auto json = ParseStrict(run.out);
  EXPECT_TRUE(json) << run.out.substr(0, 400);
  return json ? *json : Json::object();
}

TEST(CheckEquivalenceLive, TheDefaultRunEndsWithinNinetySeconds) {
  const ProgramRun run = RunProgram("check-equivalence --managed --json --report-dir " + ScratchDir());
  const Json result = Parsed(run);
  std::printf("default: %.1f s for %zu cases, class %s\n", run.seconds, result["cases"].size(),
              StringAt(result, "class").value_or("none").c_str());
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_EQ(StringAt(result, "class"), "EXACT") << "the managed server runs without flash attention";
  EXPECT_EQ(NumberAt(result, "control/d_gf/max"), 0);
  EXPECT_GE(result["cases"].size(), 40U);
  EXPECT_EQ(IntAt(result, "server_context/ubatch"), 512) << "read from the server's log";
  EXPECT_EQ(StringAt(result, "server_context/flash_attention"), "disabled");
  for (const Json& control : result["negative_controls"]) EXPECT_EQ(BoolAt(control, "detected"), true);
  EXPECT_LT(run.seconds, 90);
}

TEST(CheckEquivalenceLive, AQuickRunEndsWithinFifteenSecondsAndSaysWhatItLeftOut) {
  const ProgramRun run =
      RunProgram("check-equivalence --managed --quick --json --report-dir " + ScratchDir());
  const Json result = Parsed(run);
  std::printf("quick: %.1f s for %zu cases\n", run.seconds, result["cases"].size());
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_NE(DumpJson(result["limits"]).find("quick:"), std::string::npos);
  EXPECT_LT(run.seconds, 15);
}

// The statistical mode through both protocols of a llama-server, at a temperature: nothing is paid or proven
// there, and what is said is read again from the stored replies.
TEST(CheckEquivalenceLive, TheStatisticalModeProvesItsArmsThroughBothProtocols) {
  for (const auto& [protocol, means] : {std::pair("openai", "switch"), std::pair("anthropic", "salt")}) {
    const ProgramRun run = RunProgram(
        std::string("check-equivalence --managed --quick --json --temperature 0.2") +
        " --prompts 6 --output-tokens 24 --protocol " + protocol + " --report-dir " + ScratchDir());
    const Json result = Parsed(run);
    std::printf("%s: %.1f s, %s\n", protocol, run.seconds, StringAt(result, "reason").value_or("").c_str());
    EXPECT_EQ(run.exit_code, 3) << run.out;
    EXPECT_EQ(StringAt(result, "class"), "UNKNOWN");
    EXPECT_EQ(StringAt(result, "cold_means"), means);
    EXPECT_EQ(IntAt(result, "statistical/answers"), 36) << run.out;
    EXPECT_EQ(IntAt(result, "statistical/unproven"), 0) << run.out;
    EXPECT_TRUE(BoolAt(result, "difference_detected").has_value()) << run.out;
    EXPECT_EQ(StringAt(result, "needle/status"), "not_applicable");
    EXPECT_EQ(StringAt(result, "cost/kind"), "free");
    EXPECT_EQ(run.out.find("dentical"), std::string::npos) << run.out;
    const Json verified =
        Parsed(RunProgram("verify " + result["report_path"].get<std::string>() + " --json"));
    EXPECT_EQ(StringAt(verified, "verdict"), "PASS") << DumpPretty(verified);
    EXPECT_EQ(StringAt(verified["steps"].back(), "name"), "verdict");
  }
}

TEST(CheckEquivalenceLive, ARecordsClassesFollowFromTheRepliesItKept) {
  const std::string dir = ScratchDir();
  const Json result = Parsed(RunProgram("check-equivalence --managed --quick --json --report-dir " + dir));
  const Json verified = Parsed(RunProgram("verify " + result["report_path"].get<std::string>() + " --json"));
  EXPECT_EQ(StringAt(verified, "verdict"), "PASS") << DumpPretty(verified);
  for (const char* name : {"answers", "classes", "verdict"}) {
    const auto& steps = verified["steps"];
    const auto step =
        std::find_if(steps.begin(), steps.end(), [&](const Json& s) { return s["name"] == name; });
    ASSERT_NE(step, steps.end()) << name;
    EXPECT_EQ(StringAt(*step, "answer"), "holds") << name;
  }
}

// Starts the program, sends a signal after a while, and says how long it then took to end.
struct Stopped {
  int exit_code = -1;
  double seconds = 0;
};

Stopped StopProgram(const std::string& dir, int signal) {
  const std::string program = testing_support::BinaryDir() + "/bin/helix-perf-cache";
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    ::execl(program.c_str(), program.c_str(), "check-equivalence", "--managed", "--report-dir", dir.c_str(),
            nullptr);
    ::_exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  const std::int64_t sent_ns = SteadyNowNs();
  ::kill(pid, signal);
  int status = 0;
  ::waitpid(pid, &status, 0);
  Stopped out;
  out.seconds = static_cast<double>(SteadyNowNs() - sent_ns) / 1e9;
  out.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

TEST(CheckEquivalenceLive, AnInterruptEndsItWithinTwoSecondsAndLeavesNoServer) {
  const std::string dir = ScratchDir();
  const Stopped stopped = StopProgram(dir, SIGINT);
  std::printf("interrupted: ended after %.2f s with exit code %d\n", stopped.seconds, stopped.exit_code);
  EXPECT_NE(stopped.exit_code, 0);
  EXPECT_LT(stopped.seconds, 2);
  EXPECT_TRUE(Descendants(::getpid(), "--slot-save-path").empty()) << "a server was left";
}

tracks::EquivalenceCheckOptions Managed() {
  tracks::EquivalenceCheckOptions out;
  out.target.managed = true;
  return out;
}

Settings InScratch() {
  Settings out = SettingsFromEnvironment(ProcessEnvironment());
  out.report_dir = ScratchDir();
  return out;
}

TEST(CheckEquivalenceLive, AServerKilledInMidRunIsAnErrorAndNoResult) {
  std::int64_t killed_ns = 0;
  RunContext context;
  context.progress = [&](const Progress& progress) {
    if (progress.done != 3) return;
    for (const int pid : Descendants(::getpid(), "--slot-save-path")) ::kill(pid, SIGKILL);
    killed_ns = SteadyNowNs();
  };
  const auto result = tracks::RunEquivalenceCheck(Managed(), InScratch(), context);
  ASSERT_GT(killed_ns, 0);
  EXPECT_LT(static_cast<double>(SteadyNowNs() - killed_ns) / 1e9, 10);
  ASSERT_FALSE(result) << DumpJson(*result).substr(0, 300);
  EXPECT_EQ(result.error().code, ErrorCode::kUnavailable) << result.error().Text();
  EXPECT_TRUE(Descendants(::getpid(), "--slot-save-path").empty()) << "a server was left";
}

// Files may grow to 2 kB and no further: what a full disk does to the evidence.
TEST(CheckEquivalenceLive, AFullDiskIsAnErrorAndNoResult) {
  LiveLlama server(Flash("off"));
  const std::string program = testing_support::BinaryDir() + "/bin/helix-perf-cache";
  const std::string command = "ulimit -f 4; trap '' XFSZ; exec " + program +
                              " check-equivalence --quick --json --endpoint " + server.server->base_url() +
                              " --report-dir " + ScratchDir() + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string out;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  const int status = pclose(pipe);
  EXPECT_TRUE(WIFEXITED(status)) << out;
  EXPECT_EQ(WEXITSTATUS(status), 2) << out;
  EXPECT_NE(out.find("File too large"), std::string::npos) << out;
  EXPECT_EQ(out.find("\"verdict\""), std::string::npos) << out;
}

TEST(CheckEquivalenceLive, ASmallContextShortensThePromptsInsteadOfFailing) {
  backend::ManagedServerFlags flags = Flash("off");
  flags.context = 1024;
  LiveLlama server(flags);
  tracks::EquivalenceCheckOptions options;
  options.target.endpoint = server.server->base_url();
  options.profile = "standard";
  const auto result = tracks::RunEquivalenceCheck(options, InScratch(), {});
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ((*result)["verdict"], "PASS") << (*result)["reason"];
  options.output_tokens = 1000;
  const auto refused = tracks::RunEquivalenceCheck(options, InScratch(), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument) << refused.error().Text();
}

}  // namespace
}  // namespace helix::live
