// vLLM and SGLang as children of ours: a script stands in for both, since neither runs here.
#include "core/backend/managed_engine.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "core/base/file.h"
#include "tests/support/paths.h"

namespace helix::backend {
namespace {

EngineLaunch Launch() {
  EngineLaunch launch;
  launch.program = "/opt/engine/bin/run";
  launch.model = "org/model";
  launch.port = 4711;
  return launch;
}

bool Has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(EngineRecipe, VllmListensOnLoopbackAndReportsWhatIsMeasured) {
  const auto recipe = MakeEngineRecipe("vllm", Launch());
  ASSERT_TRUE(recipe);
  for (const char* word : {"serve", "127.0.0.1", "4711", "--enable-prompt-tokens-details",
                           "--enable-prefix-caching", "--enable-per-request-metrics", "--generation-config"})
    EXPECT_TRUE(Has(recipe->argv, word)) << word;
  EXPECT_TRUE(Has(recipe->env, "VLLM_SERVER_DEV_MODE=1"));
  EXPECT_EQ(recipe->ready_path, "/health");
}

TEST(EngineRecipe, SglangIsNeverAskedForItsHealthByGenerating) {
  auto launch = Launch();
  launch.exact = true;
  launch.prefix_cache = false;
  launch.extra = {"--device", "cpu"};
  const auto recipe = MakeEngineRecipe("sglang", launch);
  ASSERT_TRUE(recipe);
  for (const char* word : {"sglang.launch_server", "--enable-cache-report", "--enable-metrics",
                           "--enable-deterministic-inference", "--disable-radix-cache", "--device"})
    EXPECT_TRUE(Has(recipe->argv, word)) << word;
  EXPECT_TRUE(Has(recipe->env, "SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION=false"));
  EXPECT_EQ(recipe->argv.back(), "cpu") << "the user's own flags come last";
}

TEST(EngineRecipe, RefusesWhatIsNoLaunch) {
  EXPECT_FALSE(MakeEngineRecipe("tgi", Launch()));
  auto launch = Launch();
  launch.program.clear();
  EXPECT_FALSE(MakeEngineRecipe("vllm", launch));
  launch = Launch();
  launch.program = "vllm";
  EXPECT_FALSE(MakeEngineRecipe("vllm", launch)) << "PATH is not searched";
  launch = Launch();
  launch.model = "--trust-remote-code";
  EXPECT_FALSE(MakeEngineRecipe("vllm", launch)) << "a model is no flag";
  launch = Launch();
  launch.extra = {"a\nb"};
  EXPECT_FALSE(MakeEngineRecipe("vllm", launch));
}

class ManagedEngineTest : public ::testing::Test {
 protected:
  // A program that does `run`; $port is the port it was given.
  EngineLaunch Script(const std::string& run) {
    EngineLaunch launch;
    launch.program = folder_ + "/engine";
    std::ofstream(launch.program)
        << "#!/bin/sh\nfor w in \"$@\"; do [ \"$last\" = --port ] && port=$w; last=$w; done\n"
        << run;
    ::chmod(launch.program.c_str(), 0755);
    launch.model = "m";
    return launch;
  }
  Result<ManagedEngine> Start(const EngineLaunch& launch, double timeout_s = 20) {
    return ManagedEngine::Start("vllm", launch, folder_ + "/log", ProcessEnvironment(), {}, timeout_s);
  }
  std::string folder_ = testing_support::ScratchDir();
};

// Says 503 twice, then 200, as a server does that loads its model.
constexpr const char* kServer = R"(exec python3 -c '
import http.server, sys, os
asked = 0
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global asked
        asked += 1
        self.send_response(200 if asked > 2 and self.path == "/health" else 503)
        self.end_headers()
    def log_message(self, *a): pass
print("dev mode", os.environ.get("VLLM_SERVER_DEV_MODE"), flush=True)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), H).serve_forever()
' $port
)";

TEST_F(ManagedEngineTest, IsReadyWhenItsHealthIsAndGoneWhenStopped) {
  auto engine = Start(Script(kServer));
  if (!engine && engine.error().message.find("python3") != std::string::npos) GTEST_SKIP() << "no python3";
  ASSERT_TRUE(engine) << engine.error().Text();
  EXPECT_EQ(engine->base_url().rfind("http://127.0.0.1:", 0), 0U);
  const int pid = engine->pid();
  ASSERT_TRUE(engine->Stop());
  EXPECT_NE(::kill(pid, 0), 0);
  EXPECT_NE(ReadFile(folder_ + "/log")->find("dev mode 1"), std::string::npos) << "the recipe's environment";
}

TEST_F(ManagedEngineTest, AnEarlyExitGivesTheEndOfTheLog) {
  const auto engine = Start(Script("echo 'argparse: unrecognized arguments'; exit 2\n"));
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(engine.error().message.find("unrecognized arguments"), std::string::npos)
      << engine.error().message;
}

TEST_F(ManagedEngineTest, OneThatIsNeverReadyIsATimeoutAndLeavesNothing) {
  const auto engine = Start(Script("echo $$ > " + folder_ + "/pid; exec sleep 60\n"), 0.5);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::kTimeout);
  const auto pid = ReadFile(folder_ + "/pid");
  ASSERT_TRUE(pid);
  EXPECT_NE(::kill(std::stoi(*pid), 0), 0);
}

TEST_F(ManagedEngineTest, AProgramThatIsNotThereIsNamed) {
  EngineLaunch launch;
  launch.program = folder_ + "/none";
  launch.model = "m";
  const auto engine = Start(launch);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace helix::backend
