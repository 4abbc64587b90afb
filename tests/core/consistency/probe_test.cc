// Fakes of each server's interface, every trap a personality; none of this is a measurement.
#include <gtest/gtest.h>

#include <atomic>

#include "core/base/json_fields.h"
#include "core/consistency/backend_probe.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/fake_http_server.h"

namespace helix::consistency {
namespace {

using fakes::FakeConnection;
using fakes::FakeHttpServer;
using fakes::ReceivedRequest;

void Serve(FakeHttpServer& server, const std::string& path, const std::string& body,
           const std::string& method = "GET") {
  server.On(method, path,
            [body](const ReceivedRequest&, FakeConnection& connection) { connection.Reply(200, body); });
}

// The first and the repeated reply of the known-warm pair.
void ServePair(FakeHttpServer& server, const std::string& path, const std::string& first,
               const std::string& repeat) {
  auto count = std::make_shared<std::atomic<int>>(0);
  server.On("POST", path, [=](const ReceivedRequest&, FakeConnection& connection) {
    connection.Reply(200, (*count)++ ? repeat : first);
  });
}

std::string Chat(const std::string& details) {
  return R"({"id":"chatcmpl-1","object":"chat.completion","choices":[],"usage":{"prompt_tokens":1200,"completion_tokens":1,"total_tokens":1201)" +
         details + "}}";
}

std::string Cached(int n) {
  return R"(,"prompt_tokens_details":{"cached_tokens":)" + std::to_string(n) + "}";
}

Json Probe(FakeHttpServer& server) {
  auto result = ProbeBackend({server.base_url(), "", "", 7, false, ""}, {});
  return result ? *result : Json{{"verdict", result.error().Text()}};
}

TEST(ProbeVllm, WithTheDetailsOnItsZeroIsSeenToo) {
  FakeHttpServer server;
  Serve(server, "/health", "");
  Serve(server, "/version", R"({"version":"0.28.1"})");
  Serve(server, "/v1/models", R"({"data":[{"id":"m"}]})");
  Serve(server, "/metrics", "vllm:cache_config_info{block_size=\"16\",enable_prefix_caching=\"True\"} 1.0\n");
  ServePair(server, "/v1/chat/completions", Chat(Cached(0)), Chat(Cached(1184)));
  const Json result = Probe(server);
  EXPECT_EQ(StringAt(result, "verdict"), "OK_PARTIAL_HIT") << result.dump(1);
  EXPECT_EQ(StringAt(result, "kind"), "vllm");
  EXPECT_EQ(IntAt(result, "granularity"), 16);
  EXPECT_EQ(BoolAt(result, "zero_is_reported"), true);
}

TEST(ProbeVllm, BeforeJune2026ItLeavesAZeroOut) {
  FakeHttpServer server;
  Serve(server, "/health", "");
  Serve(server, "/version", R"({"version":"0.20"})");
  ServePair(server, "/v1/chat/completions", Chat(""), Chat(Cached(1184)));
  const Json result = Probe(server);
  EXPECT_EQ(StringAt(result, "verdict"), "OK_PARTIAL_HIT");
  EXPECT_EQ(BoolAt(result, "zero_is_reported"), false);
}

TEST(ProbeVllm, WithTheDetailsOffItNamesTheFlag) {
  FakeHttpServer server;
  Serve(server, "/health", "");
  Serve(server, "/version", R"({"version":"0.28.1"})");
  ServePair(server, "/v1/chat/completions", Chat(R"(,"prompt_tokens_details":null)"),
            Chat(R"(,"prompt_tokens_details":null)"));
  const Json result = Probe(server);
  EXPECT_EQ(StringAt(result, "verdict").value_or("").rfind("REPORTING_OFF", 0), 0u);
  EXPECT_EQ(StringAt(result, "reporting_flag"), "--enable-prompt-tokens-details");
  EXPECT_EQ(BoolAt(result, "cached_count"), false);
}

TEST(ProbeSglang, ReadsThePageSizeAndNamesTheFlag) {
  FakeHttpServer server;
  Serve(server, "/health", "");
  Serve(server, "/get_server_info", R"({"version":"0.5.17","page_size":64,"disable_radix_cache":false})");
  ServePair(server, "/v1/chat/completions", Chat(""), Chat(""));
  const Json result = Probe(server);
  EXPECT_EQ(StringAt(result, "kind"), "sglang");
  EXPECT_EQ(IntAt(result, "granularity"), 64);
  EXPECT_EQ(StringAt(result, "reporting_flag"), "--enable-cache-report");
}

TEST(ProbeOllama, ACountThatIsGoneIsNotZero) {
  FakeHttpServer server;
  Serve(server, "/health", "");
  Serve(server, "/api/version", R"({"version":"0.33.1"})");
  Serve(server, "/api/tags", R"({"models":[{"name":"m:latest"}]})");
  ServePair(server, "/api/generate",
            R"({"model":"m","response":"x","done":true,"prompt_eval_count":1200,"eval_count":1})",
            R"({"model":"m","response":"x","done":true,"prompt_eval_count":1200,"eval_count":1})");
  const Json result = Probe(server);
  EXPECT_EQ(StringAt(result, "kind"), "ollama");
  EXPECT_EQ(BoolAt(result, "cached_count"), false);
  EXPECT_EQ(result["cold_methods"], Json::array({"restart"}));
}

using fakes::EnginePersonality;
using fakes::FakeEngine;

Json ProbeEngine(const EnginePersonality& is, bool isolation = false) {
  FakeEngine fake(is);
  ProbeOptions options{fake.base_url(), "", "", 7, isolation, ""};
  auto result = ProbeBackend(options, {});
  return result ? *result : Json{{"verdict", result.error().Text()}};
}

EnginePersonality As(const std::string& kind) {
  EnginePersonality is;
  is.kind = kind;
  return is;
}

TEST(ProbeTotals, AgreeWithTheRepliesOfAServerThatIsAlone) {
  for (const char* kind : {"vllm", "sglang"}) {
    for (const bool leaves_zero_out : {false, true}) {
      auto is = As(kind);
      is.leaves_zero_out = leaves_zero_out;
      is.totals_lag_calls = 2;
      const Json result = ProbeEngine(is);
      EXPECT_EQ(StringAt(result, "verdict"), "OK_PARTIAL_HIT") << result.dump(1);
      EXPECT_EQ(BoolAt(result, "totals/agrees"), true) << result["totals"];
      EXPECT_EQ(BoolAt(result, "zero_is_reported"), !leaves_zero_out);
    }
  }
}

TEST(ProbeTotals, ShowTheWorkOfAnotherClient) {
  auto is = As("vllm");
  is.foreign_tokens = 300;
  const Json result = ProbeEngine(is);
  EXPECT_EQ(BoolAt(result, "totals/agrees"), false);
  EXPECT_NE(StringAt(result, "totals/note").value_or("").find("contaminated"), std::string::npos);
}

TEST(ProbeTotals, ShowAHitThatTheRepliesDoNotReport) {
  auto is = As("vllm");
  is.reports = false;
  const Json result = ProbeEngine(is);
  EXPECT_EQ(StringAt(result, "reporting_flag"), "--enable-prompt-tokens-details");
  EXPECT_EQ(BoolAt(result, "cached_count"), false);
  EXPECT_GT(IntAt(result, "totals/cached_delta").value_or(0), 0);
}

TEST(ProbeCapabilities, AreWhatTheServersNativeRouteAnswered) {
  const Json vllm = ProbeEngine(As("vllm"));
  for (const char* can : {"token_ids_in", "token_ids_out", "prefill_time", "tokenizer", "metrics"})
    EXPECT_EQ(BoolAt(vllm, can), true) << can;
  EXPECT_EQ(vllm["cold_methods"], Json::array({"salt"}));
  auto old = As("vllm");
  old.drops_ids = true;
  old.times_prefill = false;
  old.has_metrics = false;
  const Json less = ProbeEngine(old);
  for (const char* cannot : {"token_ids_out", "prefill_time", "metrics"})
    EXPECT_EQ(BoolAt(less, cannot), false);
  EXPECT_TRUE(less["totals"]["agrees"].is_null());
  const Json generic = ProbeEngine(As("openai-compatible"));
  EXPECT_TRUE(generic["cold_methods"].empty()) << "a cold call is refused there";
  EXPECT_EQ(BoolAt(generic, "token_ids_in"), false);
}

TEST(ProbeIsolation, SaysWhetherAHitCrossesSalts) {
  EXPECT_EQ(StringAt(ProbeEngine(As("sglang"), true), "isolation/verdict"), "ISOLATED");
  auto leaky = As("sglang");
  leaky.ignores_salt = true;
  EXPECT_EQ(StringAt(ProbeEngine(leaky, true), "isolation/verdict"), "CROSSES");
  auto silent = As("vllm");
  silent.reports = false;
  EXPECT_EQ(StringAt(ProbeEngine(silent, true), "isolation/verdict"), "UNCONFIRMED");
}

TEST(ProbeGeneric, ACacheThatIsOffIsToldFromABlindInstrument) {
  FakeHttpServer server;
  Serve(server, "/v1/models", R"({"data":[{"id":"m"}]})");
  ServePair(server, "/v1/chat/completions", Chat(Cached(0)), Chat(Cached(0)));
  const Json result = Probe(server);
  EXPECT_EQ(StringAt(result, "kind"), "openai-compatible");
  EXPECT_EQ(StringAt(result, "verdict"), "CACHE_NOT_FUNCTIONING");
}

TEST(ProbeProxy, OneThatTakesPostOnlyIsNamed) {
  FakeHttpServer server([](const ReceivedRequest& request, FakeConnection& connection) {
    connection.Reply(request.method == "GET" ? 405 : 200, "{}");
  });
  EXPECT_EQ(StringAt(Probe(server), "verdict"), "TARGET_IS_POST_ONLY_PROXY");
}

TEST(ProbeLoading, SaysThatTheModelIsStillLoading) {
  FakeHttpServer server([](const ReceivedRequest&, FakeConnection& connection) {
    connection.Reply(503, R"({"error":{"code":503,"message":"Loading model"}})");
  });
  const auto result = ProbeBackend({server.base_url(), "", "", 7, false, ""}, {});
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ(StringAt(*result, "verdict"), "SKIP");
  EXPECT_NE(StringAt(*result, "skip_reason").value_or("").find("oading"), std::string::npos) << result->dump();
}

TEST(ProbeNothing, IsASkipWithoutANumber) {
  std::string gone;
  { gone = FakeHttpServer().base_url(); }
  const auto result = ProbeBackend({gone, "", "", 7, false, ""}, {});
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ(StringAt(*result, "verdict"), "SKIP");
  EXPECT_EQ(StringAt(*result, "skip_code"), "topology_unsupported");
  EXPECT_EQ(StringAt(*result, "skip_reason").value_or("").rfind("server_unreachable: ", 0), 0U) << result->dump();
  for (const auto& [key, value] : result->items()) EXPECT_FALSE(value.is_number()) << key;
}

}  // namespace
}  // namespace helix::consistency
