#include "core/backend/llama_server.h"

#include <gtest/gtest.h>

#include "core/base/json_fields.h"
#include "tests/fakes/fake_http_server.h"

namespace helix::backend {
namespace {

using fakes::FakeConnection;
using fakes::FakeHttpServer;
using fakes::ReceivedRequest;

Json Props() {
  return {{"default_generation_settings", {{"n_ctx", 4096}, {"params", {{"temperature", 0.8}}}}},
          {"total_slots", 1},
          {"model_path", "/models/secret-place/tiny.gguf"},
          {"chat_template", "{{x}}"},
          {"build_info", "b11669-Debian"},
          {"media_marker", "<__media_abc__>"}};
}

Json FinalObject() {
  return {{"content", ""},
          {"tokens", Json::array()},
          {"id_slot", 0},
          {"stop", true},
          {"model", "tiny.gguf"},
          {"tokens_predicted", 2},
          {"tokens_evaluated", 3},
          {"truncated", false},
          {"stop_type", "limit"},
          {"timings",
           {{"cache_n", 0}, {"prompt_n", 3}, {"prompt_ms", 1.5}, {"predicted_n", 2}, {"predicted_ms", 0.5}}}};
}

std::string Event(const Json& data) {
  return "data: " + DumpJson(data) + "\n\n";
}
std::string TokenEvent(int id, int n) {
  return Event({{"content", std::string(1, static_cast<char>(id))},
                {"tokens", {id}},
                {"stop", false},
                {"tokens_predicted", n}});
}

void Answer(FakeHttpServer& server, const std::string& method, const std::string& path, const Json& body,
            int status = 200) {
  server.On(method, path,
            [text = DumpJson(body), status](const ReceivedRequest&, FakeConnection& connection) {
              connection.Reply(status, text);
            });
}

// Looks like a llama-server as far as these tests go. It is a fake: it computes nothing.
class LlamaServerTest : public ::testing::Test {
 protected:
  LlamaServerTest() {
    Answer(fake_, "GET", "/props", Props());
    Answer(fake_, "POST", "/tokenize", {{"tokens", {97, 98}}});
    Answer(fake_, "GET", "/health", {{"status", "ok"}});
    Answer(fake_, "GET", "/slots",
           Json::array({{{"id", 0}, {"is_processing", false}, {"speculative", false}}}));
    Answer(fake_, "GET", "/v1/models",
           {{"data", {{{"id", "tiny.gguf"}, {"meta", {{"n_params", 1600000}}}}}}});
    fake_.On("GET", "/metrics", [](const ReceivedRequest&, FakeConnection& connection) {
      connection.Reply(200, "llamacpp:prompt_tokens_total 10\nllamacpp:tokens_predicted_total 4\n",
                       "text/plain");
    });
  }

  LlamaServer Server(std::optional<std::string> key = std::nullopt) {
    return LlamaServer({fake_.base_url(), std::move(key), ""});
  }

  void Stream(const std::vector<std::string>& events, bool complete = true) {
    fake_.On("POST", "/completion", [events, complete](const ReceivedRequest&, FakeConnection& connection) {
      connection.BeginChunked(200, "text/event-stream");
      for (const std::string& event : events) connection.Chunk(event);
      if (complete) connection.EndChunked();
      connection.Close();
    });
  }

  static GenerateRequest Request(bool stream) {
    GenerateRequest request;
    request.prompt = {1, 2, 3};
    request.output_tokens = 2;
    request.stream = stream;
    request.timeout = Millis{5000};
    return request;
  }

  FakeHttpServer fake_;
};

TEST_F(LlamaServerTest, IdentifiesByPropsAndTokenizer) {
  LlamaServer server = Server();
  const auto identity = server.Identify({});
  ASSERT_TRUE(identity) << identity.error().Text();
  EXPECT_EQ(identity->kind, "llama-server");
  EXPECT_EQ(identity->build, "b11669-Debian");
  EXPECT_EQ(identity->model_id, "tiny.gguf");
  EXPECT_EQ(identity->context_per_slot, 4096);
  EXPECT_FALSE(identity->synthetic_weights);
  EXPECT_EQ(IntAt(identity->facts, "model_meta/n_params"), 1600000);
  EXPECT_EQ(StringAt(identity->facts, "template_sha256").value_or("").size(), 64U);
  EXPECT_FALSE(server.boot_id().empty());
}

TEST_F(LlamaServerTest, FactsHoldNoFolderOfTheMachineAndNothingRandom) {
  LlamaServer server = Server();
  const std::string facts = DumpJson(server.Identify({})->facts);
  EXPECT_EQ(facts.find("secret-place"), std::string::npos);
  EXPECT_EQ(facts.find("__media"), std::string::npos);
}

TEST_F(LlamaServerTest, BootIdFollowsTheProcess) {
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  const std::string first = server.boot_id();
  Json props = Props();
  props["media_marker"] = "<__media_xyz__>";
  Answer(fake_, "GET", "/props", props);
  ASSERT_TRUE(server.Identify({}));
  EXPECT_NE(server.boot_id(), first);
}

TEST_F(LlamaServerTest, SeesSyntheticWeightsInTheModelsName) {
  Json props = Props();
  props["model_path"] = "/x/helix-synthetic-weights-l2-d256.gguf";
  Answer(fake_, "GET", "/props", props);
  EXPECT_TRUE(Server().Identify({})->synthetic_weights);
}

TEST_F(LlamaServerTest, SendsTheKeyAndKeepsItOutOfEvidence) {
  Stream({TokenEvent(97, 1), TokenEvent(98, 2), Event(FinalObject())});
  LlamaServer server = Server("k-secret");
  ASSERT_TRUE(server.Identify({}));
  const auto reply = server.Generate(Request(true), {});
  ASSERT_TRUE(reply) << reply.error().Text();
  EXPECT_EQ(reply->request_body.find("k-secret"), std::string::npos);
  for (const ReceivedRequest& request : fake_.requests())
    EXPECT_EQ(request.header("authorization"), "Bearer k-secret");
}

TEST_F(LlamaServerTest, AMissingKeyIsRefusedWithItsRemedy) {
  Answer(fake_, "GET", "/props",
         {{"error", {{"code", 401}, {"message", "Invalid API Key"}, {"type", "authentication_error"}}}}, 401);
  const auto identity = Server().Identify({});
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().code, ErrorCode::kRefused);
  EXPECT_NE(identity.error().hint.find("HELIX_LLM_API_KEY"), std::string::npos);
}

TEST_F(LlamaServerTest, ALoadingModelIsUnavailable) {
  Answer(fake_, "GET", "/props",
         {{"error", {{"code", 503}, {"message", "Loading model"}, {"type", "unavailable_error"}}}}, 503);
  EXPECT_EQ(Server().Identify({}).error().code, ErrorCode::kUnavailable);
}

TEST(LlamaServer, NothingAtTheEndpointIsUnavailable) {
  int port = 0;
  {
    FakeHttpServer gone;
    port = gone.port();
  }
  LlamaServer server({"http://127.0.0.1:" + std::to_string(port), std::nullopt, ""});
  const auto identity = server.Identify({});
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(identity.error().message.find("nothing answered at http://127.0.0.1:"), std::string::npos);
}

TEST(LlamaServer, AGatewayThatSaysOkIsNotALlamaServerAndIsNamed) {
  FakeHttpServer gateway([](const ReceivedRequest&, FakeConnection& connection) {
    connection.Reply(200, R"({"status":"ok"})", "application/json", "server: my-gateway/1.2\r\n");
  });
  LlamaServer server({gateway.base_url(), std::nullopt, ""});
  const auto identity = server.Identify({});
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().code, ErrorCode::kProtocol);
  EXPECT_NE(identity.error().message.find("my-gateway/1.2"), std::string::npos) << identity.error().message;
  EXPECT_NE(identity.error().message.find(R"({"status":"ok"})"), std::string::npos);
}

TEST_F(LlamaServerTest, PropsWithoutATokenizerAreNotEnough) {
  Answer(fake_, "POST", "/tokenize", {{"detail", "Not Found"}}, 404);
  const auto identity = Server().Identify({});
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().code, ErrorCode::kProtocol);
}

TEST_F(LlamaServerTest, ARouterWithoutAModelIsNamedAsOne) {
  Answer(fake_, "GET", "/props", {{"role", "router"}, {"default_generation_settings", {{"n_ctx", 0}}}});
  EXPECT_NE(Server().Identify({}).error().message.find("router"), std::string::npos);
}

TEST_F(LlamaServerTest, StreamGivesTokensTimesAndCounters) {
  Stream({":\n\n", TokenEvent(97, 1), TokenEvent(98, 2), Event(FinalObject())});
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  const auto reply = server.Generate(Request(true), {});
  ASSERT_TRUE(reply) << reply.error().Text();
  EXPECT_EQ(reply->text, "ab");
  EXPECT_EQ(reply->tokens, (std::vector<TokenId>{97, 98}));
  EXPECT_EQ(reply->cached_tokens.value(), 0);
  ASSERT_TRUE(reply->ttft_ns.present());
  EXPECT_GT(reply->ttft_ns.value(), 0);
  EXPECT_GE(reply->total_ns, reply->ttft_ns.value());
  EXPECT_TRUE(server.capabilities().cached_count);
}

TEST_F(LlamaServerTest, EachCompletionHasAConnectionOpenedBeforeItsClockStarts) {
  Stream({TokenEvent(97, 1), TokenEvent(98, 2), Event(FinalObject())});
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  EXPECT_EQ(server.Generate(Request(true), {})->connection_reused, true);
  EXPECT_EQ(server.Generate(Request(true), {})->connection_reused, true);
}

TEST_F(LlamaServerTest, AStreamCutShortIsAnError) {
  Stream({TokenEvent(97, 1)}, false);
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  EXPECT_FALSE(server.Generate(Request(true), {}));
  Stream({TokenEvent(97, 1)}, true);
  EXPECT_EQ(server.Generate(Request(true), {}).error().code, ErrorCode::kProtocol);
}

TEST_F(LlamaServerTest, ErrorsInsideAStreamOfEitherFormAreErrors) {
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  Stream({TokenEvent(97, 1), Event({{"error", {{"code", 500}, {"message", "Compute error."}}}})});
  EXPECT_NE(server.Generate(Request(true), {}).error().message.find("Compute error."), std::string::npos);
  Stream({TokenEvent(97, 1), "error: {\"code\":500,\"message\":\"Old form.\"}\n\n"});
  EXPECT_NE(server.Generate(Request(true), {}).error().message.find("Old form."), std::string::npos);
}

TEST_F(LlamaServerTest, ARefusedPromptSaysWhatToDo) {
  Answer(fake_, "POST", "/completion",
         {{"error",
           {{"code", 400},
            {"message", "request (9000 tokens) exceeds the available context size"},
            {"type", "exceed_context_size_error"}}}},
         400);
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  for (const bool stream : {false, true}) {
    const auto reply = server.Generate(Request(stream), {});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(reply.error().hint.find("-c"), std::string::npos);
  }
}

TEST_F(LlamaServerTest, WaitsUntilNoSlotWorks) {
  std::atomic<int> asked{0};
  fake_.On("GET", "/slots", [&asked](const ReceivedRequest&, FakeConnection& connection) {
    connection.Reply(200, DumpJson(Json::array({{{"id", 0}, {"is_processing", ++asked < 4}}})));
  });
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  EXPECT_TRUE(server.WaitIdle(Millis{2000}, {}));
  EXPECT_GE(asked, 4);
}

TEST_F(LlamaServerTest, ABusyServerTimesOut) {
  Answer(fake_, "GET", "/slots", Json::array({{{"id", 0}, {"is_processing", true}}}));
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  EXPECT_EQ(server.WaitIdle(Millis{60}, {}).error().code, ErrorCode::kTimeout);
}

TEST_F(LlamaServerTest, WithoutSlotsItAsksTheMetrics) {
  Answer(fake_, "GET", "/slots",
         {{"error", {{"code", 501}, {"message", "no"}, {"type", "not_supported_error"}}}}, 501);
  std::atomic<int> asked{0};
  fake_.On("GET", "/metrics", [&asked](const ReceivedRequest&, FakeConnection& connection) {
    connection.Reply(200, "llamacpp:requests_processing " + std::to_string(++asked < 4 ? 1 : 0) + "\n",
                     "text/plain");
  });
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  EXPECT_FALSE(server.capabilities().slots);
  EXPECT_TRUE(server.WaitIdle(Millis{2000}, {}));
  EXPECT_GE(asked, 4);
}

TEST_F(LlamaServerTest, WithoutSlotsAndMetricsItQueuesOneTokenBehindTheOthers) {
  const Json off = {{"error", {{"code", 501}, {"message", "no"}, {"type", "not_supported_error"}}}};
  Answer(fake_, "GET", "/slots", off, 501);
  Answer(fake_, "GET", "/metrics", off, 501);
  Answer(fake_, "POST", "/completion", FinalObject());
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  EXPECT_TRUE(server.WaitIdle(Millis{2000}, {}));
  EXPECT_EQ(server.Work({}).error().code, ErrorCode::kUnavailable);
}

TEST_F(LlamaServerTest, ReadsItsTotalsAndItsRoundTrip) {
  LlamaServer server = Server();
  ASSERT_TRUE(server.Identify({}));
  const auto work = server.Work({});
  ASSERT_TRUE(work);
  EXPECT_EQ(work->processed, 10);
  EXPECT_EQ(work->predicted, 4);
  EXPECT_FALSE(work->cached) << "a counter that an older build lacks stays absent";
  const auto round_trip = server.RoundTripNs({});
  ASSERT_TRUE(round_trip);
  EXPECT_GT(*round_trip, 0);
}

}  // namespace
}  // namespace helix::backend
