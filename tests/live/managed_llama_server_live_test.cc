// A real llama-server runs the demo model: started, asked, stopped.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "core/backend/llama_http.h"
#include "core/backend/loopback_port.h"
#include "core/backend/managed_llama_server.h"
#include "core/backend/server_files.h"
#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "core/model/synthetic_model.h"
#include "tests/support/paths.h"

namespace helix::backend {
namespace {

// A missing server fails here: a live test that skips itself proves nothing.
Result<ManagedLlamaServer> StartDemo(ManagedServerFlags flags = {}) {
  const EnvReader env = ProcessEnvironment();
  const Settings settings = SettingsFromEnvironment(env);
  auto program = FindLlamaServer(settings, env);
  if (!program) return Fail(ErrorCode::kNotFound, program.error().reason, program.error().would_run_if);
  auto demo = FindModel({}, env);
  if (!demo) return Fail(ErrorCode::kNotFound, demo.error().reason, demo.error().would_run_if);
  ManagedServerOptions options;
  options.program = *program;
  options.model = *demo;
  options.flags = std::move(flags);
  return ManagedLlamaServer::Start(options, {});
}

bool Gone(int pid, int port) {
  for (int i = 0; i < 300; ++i) {
    if (::kill(pid, 0) != 0 && ListenersOn(port) == 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

int PortOf(const ManagedLlamaServer& server) {
  return std::stoi(server.base_url().substr(17));
}

TEST(ManagedLlamaServerLive, TokenizesByteForByteGeneratesAndStops) {
  auto server = StartDemo();
  ASSERT_TRUE(server) << server.error().Text();
  EXPECT_TRUE(server->synthetic_weights());
  EXPECT_TRUE(server->flags_left_out().empty()) << server->flags_left_out().front();
  LlamaHttp http(server->base_url(), std::nullopt);
  const std::string text = "caf\xC3\xA9 \xF0\x9F\x98\x80  two spaces\n\tend ";
  auto reply = http.PostJson("/tokenize", {{"content", text}, {"add_special", true}}, {});
  ASSERT_TRUE(reply) << reply.error().Text();
  Json expected = Json::array({model::kBosId});
  for (const char c : text) expected.push_back(static_cast<unsigned char>(c) + model::kFirstByteId);
  EXPECT_EQ((*reply)["tokens"], expected);

  const Json ask = {{"prompt", expected}, {"n_predict", 48},       {"temperature", 0},
                    {"top_k", 1},         {"return_tokens", true}, {"cache_prompt", true}};
  auto first = http.PostJson("/completion", ask, {});
  auto second = http.PostJson("/completion", ask, {});
  ASSERT_TRUE(first && second);
  EXPECT_EQ((*first)["tokens"].size(), 48U);
  EXPECT_EQ((*first)["content"].get_ref<const std::string&>().size(), 48U) << "one character per token";
  EXPECT_EQ((*first)["tokens"], (*second)["tokens"]);
  EXPECT_EQ(IntAt(*second, "timings/prompt_n"), 1) << "all but one token reused";

  const int pid = server->pid();
  const int port = PortOf(*server);
  http.client().Close();
  auto end = server->Stop();
  ASSERT_TRUE(end) << end.error().Text();
  EXPECT_TRUE(Gone(pid, port));
}

TEST(ManagedLlamaServerLive, AnswersChatMessagesAndTemplates) {
  auto server = StartDemo();
  ASSERT_TRUE(server) << server.error().Text();
  LlamaHttp http(server->base_url(), std::nullopt);
  const Json messages = Json::array({{{"role", "user"}, {"content", "hello"}}});
  auto rendered = http.PostJson("/apply-template", {{"messages", messages}}, {});
  ASSERT_TRUE(rendered) << rendered.error().Text();
  EXPECT_EQ(StringAt(*rendered, "prompt"), "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n");
  auto chat = http.PostJson("/v1/chat/completions", {{"messages", messages}, {"max_tokens", 4}}, {});
  ASSERT_TRUE(chat) << chat.error().Text();
  EXPECT_EQ(IntAt(*chat, "usage/completion_tokens"), 4);
  auto anthropic =
      http.PostJson("/v1/messages", {{"model", "m"}, {"messages", messages}, {"max_tokens", 4}}, {});
  ASSERT_TRUE(anthropic) << anthropic.error().Text();
  EXPECT_EQ(IntAt(*anthropic, "usage/output_tokens"), 4);
}

TEST(ManagedLlamaServerLive, StopsWithinSecondsAlthoughAStreamIsOpen) {
  auto server = StartDemo();
  ASSERT_TRUE(server) << server.error().Text();
  const int pid = server->pid();
  std::atomic<bool> streaming{false};
  std::thread reader([&, url = server->base_url()] {
    LlamaHttp http(url, std::nullopt);
    const Json ask = {{"prompt", "x"}, {"n_predict", 100'000}, {"stream", true}, {"ignore_eos", true}};
    auto request = http.PostRequest("/completion", DumpJson(ask), Millis{60'000});
    auto reply = http.client().Send(request, {}, [&](std::string_view, std::int64_t) {
      streaming = true;
      return true;
    });
    EXPECT_FALSE(reply) << "a stream that was cut must not look whole";
  });
  while (!streaming) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const std::int64_t start = SteadyNowNs();
  auto end = server->Stop();
  EXPECT_TRUE(end);
  EXPECT_LT(SteadyNowNs() - start, 8'000'000'000);
  reader.join();
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST(ManagedLlamaServerLive, NothingIsLeftWhenWeAreKilled) {
  const std::string note = testing_support::ScratchDir() + "/note";
  const pid_t victim = ::fork();
  if (victim == 0) {
    auto server = StartDemo();
    if (server) std::ofstream(note) << server->pid() << ' ' << PortOf(*server) << ' ' << std::flush;
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_GT(victim, 0);
  ::waitpid(victim, nullptr, 0);
  int pid = 0;
  int port = 0;
  std::ifstream(note) >> pid >> port;
  ASSERT_GT(pid, 0) << "the server did not start";
  EXPECT_TRUE(Gone(pid, port));
}

TEST(ManagedLlamaServerLive, ABadFlagIsSaidWithTheServersOwnWords) {
  ManagedServerFlags flags;
  flags.extra = {"--no-such-flag"};
  auto server = StartDemo(flags);
  ASSERT_FALSE(server);
  EXPECT_NE(server.error().message.find("no-such-flag"), std::string::npos) << server.error().message;
}

}  // namespace
}  // namespace helix::backend
