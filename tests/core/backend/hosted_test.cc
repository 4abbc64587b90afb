#include "core/backend/hosted.h"

#include <gtest/gtest.h>

#include "core/backend/hosted_stream.h"
#include "tests/fakes/fake_http_server.h"

namespace helix::backend {
namespace {

using fakes::FakeConnection;
using fakes::ReceivedRequest;

const char* kKey = "sk-ant-secret-0123456789";

std::string Event(const std::string& type, const std::string& rest) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + (rest.empty() ? "" : "," + rest) + "}\n\n";
}
std::string Start(const std::string& model = "claude-opus-5") {
  return Event("message_start",
               R"("message":{"id":"msg_1","model":")" + model +
                   R"(","usage":{"input_tokens":14,"cache_read_input_tokens":35203,"output_tokens":1}})");
}
std::string Text(const std::string& text) {
  return Event("content_block_delta", R"("index":0,"delta":{"type":"text_delta","text":")" + text + "\"}");
}
std::string End() {
  return Event("message_delta", R"("delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4})") +
         Event("message_stop", "");
}

HostedOptions Options(const fakes::FakeHttpServer& server) {
  HostedOptions options;
  options.base = {server.base_url(), "/v1"};
  options.protocol = Protocol::kAnthropicMessages;
  options.credentials = {kKey, "ANTHROPIC_API_KEY", false};
  options.timeout = Millis{5000};
  return options;
}

ChatRequest Ask() {
  ChatRequest request;
  request.model = "claude-opus-5";
  request.prefix = "You answer shortly.";
  request.turns = {{"user", "Hello"}};
  request.marked = true;
  return request;
}

// One call against a server that answers with these events, a pause after each.
HostedReply CallWith(const std::vector<std::string>& events, std::vector<ReceivedRequest>* seen = nullptr) {
  fakes::FakeHttpServer server([&](const ReceivedRequest&, FakeConnection& connection) {
    connection.BeginChunked(200, "text/event-stream");
    for (const auto& event : events) {
      connection.Chunk(event);
      connection.Sleep(std::chrono::milliseconds(15));
    }
    connection.EndChunked();
  });
  HostedClient client(Options(server));
  auto reply = client.Send(Ask(), RunContext{});
  if (seen != nullptr) *seen = server.requests();
  return reply.value();
}

TEST(Hosted, TtftIsTheFirstGeneratedDeltaNotTheFirstByte) {
  auto reply =
      CallWith({Start(), Event("ping", ""), ": keep-alive\n\n",
                Event("content_block_start", R"("index":0,"content_block":{"type":"text","text":""})"),
                Text("a"), Text("b"), End()});
  ASSERT_TRUE(reply.ok) << reply.failure;
  EXPECT_GT(reply.ttft_ms.value(), 40);
  EXPECT_LT(reply.ttft_ms.value(), reply.total_ms.value());
  EXPECT_EQ(reply.text, "ab");
  EXPECT_EQ(reply.reply.usage.in_total.value().count, 35217);
}

TEST(Hosted, ARoleAloneIsNoFirstTokenAndAToolCallIsOne) {
  auto chunk = [](const std::string& delta, const std::string& rest = "") {
    return "data: "
           "{\"object\":\"chat.completion.chunk\",\"model\":\"claude-opus-5\",\"choices\":[{\"index\":0,"
           "\"delta\":" +
           delta + ",\"finish_reason\":" + (rest.empty() ? "null" : rest) + "}]}\n\n";
  };
  const std::string usage =
      "data: {\"object\":\"chat.completion.chunk\",\"model\":\"claude-opus-5\",\"choices\":[],\"usage\":"
      "{\"prompt_tokens\":12,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n";
  fakes::FakeHttpServer server([&](const ReceivedRequest&, FakeConnection& connection) {
    connection.BeginChunked(200, "text/event-stream");
    connection.Chunk(chunk(R"({"role":"assistant","content":""})"));
    connection.Sleep(std::chrono::milliseconds(40));
    connection.Chunk(
        chunk(R"({"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":""}}]})"));
    connection.Sleep(std::chrono::milliseconds(15));
    connection.Chunk(chunk("{}", "\"tool_calls\"") + usage);
    connection.EndChunked();
  });
  HostedOptions options = Options(server);
  options.protocol = Protocol::kOpenAiChat;
  auto reply = HostedClient(options).Send(Ask(), RunContext{});
  ASSERT_TRUE(reply && reply->ok) << reply->failure;
  EXPECT_GT(reply->ttft_ms.value(), 35);
  EXPECT_FALSE(reply->first_text_ms.present());
  EXPECT_EQ(reply->reply.usage.in_total.value().count, 12);
}

TEST(Hosted, SendsTheMarkerAndTheKeyInItsOwnHeaderOnly) {
  std::vector<ReceivedRequest> seen;
  CallWith({Start(), Text("a"), End()}, &seen);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].target, "/v1/messages");
  EXPECT_EQ(seen[0].header("x-api-key"), kKey);
  EXPECT_EQ(seen[0].header("authorization"), "");
  EXPECT_EQ(seen[0].header("accept-encoding"), "identity");
  EXPECT_NE(seen[0].body.find(R"("cache_control":{"type":"ephemeral"})"), std::string::npos);
  EXPECT_EQ(seen[0].body.find(kKey), std::string::npos);
}

TEST(Hosted, ABufferedStreamHasNoTtft) {
  auto reply = CallWith({Start() + Text("a") + Text("b") + Text("c") + Text("d") + End()});
  EXPECT_TRUE(reply.ok);
  EXPECT_TRUE(reply.buffered);
  EXPECT_FALSE(reply.ttft_ms.present());
}

// With a clock of the test's own: how long 200 events take on a busy machine is not the question.
TEST(Hosted, ACollectedStreamThatIsHandedOnInPiecesIsKnownByItsPace) {
  constexpr std::int64_t kMsInNs = 1'000'000;
  std::string rest;
  for (int i = 0; i < 199; ++i) rest += Text("b");
  for (const auto& [span_ms, buffered] : {std::pair{39, true}, std::pair{41, false}}) {
    HostedStream stream("anthropic");
    ASSERT_TRUE(stream.Feed(Start() + Text("a"), kMsInNs));
    ASSERT_TRUE(stream.Feed(rest + End(), (1 + span_ms) * kMsInNs));
    EXPECT_EQ(stream.generated_events(), 200);
    EXPECT_EQ(stream.buffered(), buffered) << span_ms << " ms for 200 events; 5,000 a second is the limit";
  }
}

TEST(Hosted, StreamsThatDieAreFailures) {
  EXPECT_EQ(CallWith({Start(), Text("a"),
                      "event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"Overloaded\"}}\n\n"})
                .failure,
            "error_in_stream");
  EXPECT_EQ(CallWith({Start(), Text("a")}).failure, "truncated");
  EXPECT_EQ(CallWith({Start(), Event("message_delta",
                                     R"("delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":0})") +
                                   Event("message_stop", "")})
                .failure,
            "suspect_empty");
}

TEST(Hosted, AnotherModelsAnswerIsAFailure) {
  auto reply = CallWith({Start("some-flash"), Text("a"), End()});
  EXPECT_FALSE(reply.ok);
  EXPECT_EQ(reply.failure, "other_model_answered");
}

TEST(Hosted, KnowsAModelByItsDatedId) {
  EXPECT_TRUE(SameModel("claude-opus-5", "claude-opus-5-20260724"));
  EXPECT_TRUE(SameModel("claude-opus-5[1m]", "claude-opus-5"));
  EXPECT_FALSE(SameModel("claude-opus-5", "claude-opus-5-5"));
  EXPECT_FALSE(SameModel("claude-opus-5", "claude-opus-5-fast-20260724"));
  EXPECT_TRUE(SameModel("provider,some-model", "some-model"));
  EXPECT_FALSE(SameModel("provider,some-model", "provider"));
}

TEST(Hosted, WaitsAsLongAsRetryAfterSays) {
  std::atomic<int> calls = 0;
  fakes::FakeHttpServer server([&](const ReceivedRequest&, FakeConnection& connection) {
    if (++calls == 1) {
      connection.Reply(429, R"({"type":"error","error":{"type":"rate_limit_error","message":"slow"}})",
                       "application/json", "retry-after: 0.2\r\n");
      return;
    }
    connection.BeginChunked(200, "text/event-stream");
    connection.Chunk(Start() + Text("a"));
    connection.Chunk(End());
    connection.EndChunked();
  });
  HostedClient client(Options(server));
  auto begin = std::chrono::steady_clock::now();
  auto reply = client.Send(Ask(), RunContext{});
  ASSERT_TRUE(reply && reply->ok) << reply->message;
  EXPECT_EQ(reply->attempts, 2);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(200));
}

TEST(Hosted, ASpendCapIsNotRetried) {
  fakes::FakeHttpServer server([&](const ReceivedRequest&, FakeConnection& connection) {
    connection.Reply(
        429,
        R"({"type":"error","error":{"type":"rate_limit_error","message":"cap","details":{"error_code":"enforced_spend_limit_reached"}}})");
  });
  HostedClient client(Options(server));
  auto reply = client.Send(Ask(), RunContext{});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->failure, "spend_cap");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(Hosted, AnHtmlErrorPageIsReportedAndAnEchoedKeyIsNot) {
  fakes::FakeHttpServer server([&](const ReceivedRequest& request, FakeConnection& connection) {
    connection.Reply(401, R"({"error":{"message":"bad key )" + request.header("x-api-key") + "\"}}");
  });
  HostedClient client(Options(server));
  auto reply = client.Send(Ask(), RunContext{});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->failure, "authentication");
  EXPECT_EQ(reply->message, "bad key [redacted]");
  EXPECT_EQ(reply->response_body.find(kKey), std::string::npos);
  net::HttpResponse html;
  html.status = 529;
  EXPECT_EQ(ReadHttpFailure(html, "<html>busy</html>", 0).kind, "overloaded");
}

TEST(Hosted, ACompressedStreamWithoutItsHeaderIsNotZeroTokens) {  // router-for-me/CLIProxyAPI#1834
  for (std::size_t cut : {std::size_t{1}, std::size_t{9}}) {
    const std::string gzip("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03 and more", 19);
    auto reply = CallWith({gzip.substr(0, cut), gzip.substr(cut)});
    EXPECT_FALSE(reply.ok);
    EXPECT_EQ(reply.failure, "compressed_stream");
    EXPECT_FALSE(reply.ttft_ms.present());
    EXPECT_FALSE(reply.reply.usage.in_total.present());
  }
}

TEST(Hosted, AnHttpDateInRetryAfterIsWaitedFor) {
  std::atomic<int> calls = 0;
  fakes::FakeHttpServer server([&](const ReceivedRequest&, FakeConnection& connection) {
    if (++calls == 1) {
      connection.Reply(429, R"({"error":{"message":"slow"}})", "application/json",
                       "retry-after: Thu, 01 Jan 1970 00:00:10 GMT\r\n");
      return;
    }
    connection.BeginChunked(200, "text/event-stream", "request-id: req_7\r\n");
    connection.Chunk(Start() + Text("a"));
    connection.Chunk(End());
    connection.EndChunked();
  });
  auto reply = HostedClient(Options(server)).Send(Ask(), RunContext{});
  ASSERT_TRUE(reply && reply->ok) << reply->message;
  EXPECT_EQ(reply->attempts, 2);
  EXPECT_EQ(reply->request_id, "req_7");
}

TEST(Hosted, ALongRetryAfterIsNotWaitedFor) {
  fakes::FakeHttpServer server([&](const ReceivedRequest&, FakeConnection& connection) {
    connection.Reply(429, R"({"error":{"message":"slow"}})", "application/json", "retry-after: 86400\r\n");
  });
  auto reply = HostedClient(Options(server)).Send(Ask(), RunContext{});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->failure, "rate_limited");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(Hosted, EveryCallHasAConnectionOfItsOwnThatIsOpenBeforeItsTime) {
  fakes::FakeHttpServer server([&](const ReceivedRequest&, FakeConnection& connection) {
    connection.BeginChunked(200, "text/event-stream");
    connection.Chunk(Start() + Text("a"));
    connection.Chunk(End());
    connection.EndChunked();
    connection.Close();  // as llama-server does after a stream
  });
  HostedClient client(Options(server));
  for (int i = 0; i < 3; ++i) {
    auto reply = client.Send(Ask(), RunContext{});
    ASSERT_TRUE(reply && reply->ok) << i << " " << reply->failure << " " << reply->message;
    EXPECT_TRUE(reply->connection_reused);
  }
  EXPECT_EQ(server.connections(), 3);
}

TEST(Hosted, ReadsRetryAfterInItsThreeForms) {
  EXPECT_EQ(ParseRetryAfter("0.5", 0)->count(), 500);
  EXPECT_EQ(ParseRetryAfter("30", 0)->count(), 30000);
  EXPECT_EQ(ParseRetryAfter("Thu, 01 Jan 1970 00:00:10 GMT", 4)->count(), 6000);
  EXPECT_EQ(ParseRetryAfter("Thu, 01 Jan 1970 00:00:10 GMT", 99)->count(), 0);
  EXPECT_FALSE(ParseRetryAfter("soon", 0));
  EXPECT_FALSE(ParseRetryAfter("-3", 0));
}

TEST(Hosted, RedactsKnownSecretsAndKeyForms) {
  EXPECT_EQ(Redact("a hunter22 b", {"hunter22"}), "a [redacted] b");
  EXPECT_EQ(Redact("key sk-abcdefghijklmnop end", {}), "key [redacted] end");
  EXPECT_EQ(Redact("Bearer abcdefghijklmnop", {}), "[redacted]");
  EXPECT_EQ(Redact("/v1?key=abcdefghijklmnop", {}), "/v1?[redacted]");
  EXPECT_EQ(Redact("risk-averse task-list-of-things", {}), "risk-averse task-list-of-things");
}

TEST(Hosted, KeysComeFromTheEnvironmentInTheProvidersOrder) {
  auto env = [](const std::string& name) -> std::optional<std::string> {
    if (name == "ANTHROPIC_AUTH_TOKEN") return "tok";
    return std::nullopt;
  };
  auto credentials = CredentialsFor(*ConfiguredProfile(env), env);
  EXPECT_EQ(credentials.key, "tok");
  EXPECT_TRUE(credentials.bearer);
  EXPECT_EQ(ConfiguredProfile([](const std::string&) { return std::nullopt; }), nullptr);
}

TEST(Hosted, ABaseUrlsPathIsKeptAndJudged) {
  auto base = SplitBaseUrl("https://api.deepseek.com/anthropic/");
  ASSERT_TRUE(base);
  EXPECT_EQ(base->origin, "https://api.deepseek.com");
  EXPECT_EQ(base->path, "/anthropic");
  for (const char* bad : {"https://u:p@host/v1", "https://host/a b", "https://host/../x", "ftp://host",
                          "https://host/v1?key=1"}) {
    EXPECT_FALSE(SplitBaseUrl(bad)) << bad;
  }
}

TEST(ChatRequests, AreTheSameBytesEveryTimeAndPutTheSaltFirst) {
  ChatRequest request = Ask();
  request.salt = "[salt 1] ";
  EXPECT_EQ(AnthropicBody(request), AnthropicBody(request));
  EXPECT_NE(AnthropicBody(request).find(R"("text":"[salt 1] You answer)"), std::string::npos);
  EXPECT_NE(OpenAiChatBody(request, {}).find(R"("include_usage":true)"), std::string::npos);
  EXPECT_EQ(OpenAiChatBody(request, {}).find("cache_control"), std::string::npos);
  EXPECT_NE(OpenAiChatBody(request, {true, false}).find("cache_control"), std::string::npos);
  EXPECT_NE(OpenAiChatBody(request, {}).find("\"max_tokens\":64"), std::string::npos);
  EXPECT_NE(OpenAiChatBody(request, {false, true}).find("\"max_completion_tokens\":64"), std::string::npos);
  EXPECT_EQ(AnthropicBody(request).find("temperature"), std::string::npos);
  request.temperature = 0;
  EXPECT_NE(AnthropicBody(request).find("\"temperature\":0"), std::string::npos);
}

}  // namespace
}  // namespace helix::backend
