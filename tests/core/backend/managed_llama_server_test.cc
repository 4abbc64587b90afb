#include "core/backend/managed_llama_server.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/backend/loopback_port.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/model/synthetic_model.h"
#include "tests/fakes/fake_http_server.h"
#include "tests/support/paths.h"

namespace helix::backend {
namespace {

using testing_support::ScratchDir;

// A shell script in place of llama-server. `run` is what it does when it is not asked for --help.
ManagedServerOptions FakeServer(const std::string& folder, const std::string& run) {
  ManagedServerOptions options;
  options.program = folder + "/fake-llama-server";
  std::ofstream(options.program) << "#!/bin/sh\n[ \"$1\" = --help ] && { echo '-c N, --metrics'; exit 0; }\n"
                                 << run;
  ::chmod(options.program.c_str(), 0755);
  options.model = folder + "/m.gguf";
  model::ModelShape tiny;
  tiny.layers = 1;
  tiny.width = tiny.feed_forward = 32;
  tiny.heads = 2;
  tiny.kv_heads = 1;
  std::ofstream(options.model, std::ios::binary) << *model::SyntheticModelBytes(tiny);
  return options;
}

TEST(ManagedLlamaServer, AnEarlyExitGivesTheEndOfTheLog) {
  auto server = ManagedLlamaServer::Start(
      FakeServer(ScratchDir(), "echo 'error: failed to load model'; printf 'bad \\033[2J'; exit 1"), {});
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(server.error().message.find("exited with status 1"), std::string::npos) << server.error().message;
  EXPECT_NE(server.error().message.find("error: failed to load model / bad ?[2J"), std::string::npos);
}

TEST(ManagedLlamaServer, AServerThatIsNeverReadyIsATimeoutAndIsStopped) {
  const std::string folder = ScratchDir();
  ManagedServerOptions options = FakeServer(folder, "echo $$ > " + folder + "/pid; exec sleep 60");
  options.ready_timeout = Millis{300};
  auto server = ManagedLlamaServer::Start(options, {});
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code, ErrorCode::kTimeout);
  EXPECT_NE(::kill(std::stoi(*ReadFile(folder + "/pid")), 0), 0) << "still running";
}

TEST(ManagedLlamaServer, AStopRequestEndsTheWait) {
  std::stop_source source;
  source.request_stop();
  auto server =
      ManagedLlamaServer::Start(FakeServer(ScratchDir(), "exec sleep 60"), {source.get_token(), {}});
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code, ErrorCode::kCancelled);
}

TEST(ManagedLlamaServer, SaysWhatIsWrongWithProgramModelOrFolder) {
  const std::string folder = ScratchDir();
  ManagedServerOptions options = FakeServer(folder, "exit 0");
  options.program = "/nonexistent/llama-server";
  EXPECT_EQ(ManagedLlamaServer::Start(options, {}).error().code, ErrorCode::kIo);
  options = FakeServer(folder, "exit 0");
  options.run_dir = "/dev/null/x";
  EXPECT_EQ(ManagedLlamaServer::Start(options, {}).error().code, ErrorCode::kIo);
  options.model = folder + "/none.gguf";
  EXPECT_EQ(ManagedLlamaServer::Start(options, {}).error().code, ErrorCode::kNotFound);
}

TEST(ManagedLlamaServer, KeepsItsLogInTheRunFolder) {
  const std::string folder = ScratchDir();
  ManagedServerOptions options = FakeServer(folder, "echo \"flags: $*\"; exit 4");
  options.run_dir = folder + "/run";
  EXPECT_FALSE(ManagedLlamaServer::Start(options, {}));
  const std::string log = *ReadFile(folder + "/run/llama-server.log");
  EXPECT_NE(log.find("flags: -m " + options.model + " --host 127.0.0.1 --port "), std::string::npos) << log;
  EXPECT_NE(log.find("-c 4096 --metrics"), std::string::npos) << "only flags that the program knows";
  EXPECT_FALSE(std::filesystem::exists(folder + "/run/help.txt"));
}

TEST(LoopbackPort, CountsListeners) {
  auto port = FreeLoopbackPort();
  ASSERT_TRUE(port);
  EXPECT_EQ(ListenersOn(*port), 0);
  fakes::FakeHttpServer server;
  EXPECT_EQ(ListenersOn(server.port()), 1);
}

}  // namespace
}  // namespace helix::backend
