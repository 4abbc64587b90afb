#include <gtest/gtest.h>

#include "tests/core/usage/read.h"

namespace helix::usage {
namespace {

TEST(Providers, BedrockAddsReadAndWriteToTheInput) {
  Json form = ReadText(
      R"({"output":{"message":{}},"stopReason":"end_turn","usage":{"inputTokens":12,"outputTokens":30,"totalTokens":8924,)"
      R"("cacheReadInputTokens":0,"cacheWriteInputTokens":8882,"cacheDetails":[{"ttl":"1h","inputTokens":8882}]}})");
  EXPECT_EQ(form["shape"], "bedrock");
  EXPECT_EQ(form["in_total"], 8894);
  EXPECT_EQ(form["cache_write_1h"], 8882);
  EXPECT_TRUE(form["cache_write_5m"].is_null());
}

TEST(Providers, QwenNamesTheLifetimeOfItsExplicitCache) {
  Json form = ReadUsageObject(
      R"({"prompt_tokens":2059,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":0,"cache_type":"ephemeral",)"
      R"("cache_creation":{"ephemeral_5m_input_tokens":2048},"cache_creation_input_tokens":2048}})");
  EXPECT_EQ(form["cache_write_5m"], 2048);
  EXPECT_EQ(form["in_uncached"], 11);
}

TEST(Providers, DashScopesOwnApiKeepsDetailsPerBillingType) {
  Json form = ReadText(
      R"({"output":{"text":"x"},"usage":{"input_tokens":3019,"output_tokens":104,"total_tokens":3123,"x_details":)"
      R"([{"x_billing_type":"response_api","prompt_tokens_details":{"cached_tokens":2048}}]},"request_id":"r"})");
  EXPECT_EQ(form["in_total"], 3019);
  EXPECT_EQ(form["cache_read"], 2048);
  EXPECT_EQ(form["in_uncached"], 971);
}

TEST(Providers, OldLlamaServerDerivesReuseFromWhatItEvaluated) {
  Json form = ReadText(
      R"({"content":"x","tokens_evaluated":100,"tokens_cached":120,"tokens_predicted":21,"stop":true,)"
      R"("timings":{"prompt_n":30,"prompt_ms":12.5,"predicted_n":21,"predicted_ms":80.25}})");
  EXPECT_EQ(form["in_total"], 100);
  EXPECT_EQ(form["cache_read"], 70);
  EXPECT_EQ(form["visibility"], "derived");
  EXPECT_EQ(form["origins"]["cache_read"], "derived");
  EXPECT_EQ(form["prefill_ms"], 12.5);
  EXPECT_EQ(form["decode_ms"], 80.25);
}

TEST(Providers, LlamaServerStreamWithoutUsageIsReadFromItsTimings) {
  Json form = ReadText(
      "data: "
      "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":"
      "null}]}\n\n"
      "data: "
      "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],"
      "\"timings\":"
      "{\"cache_n\":64,\"prompt_n\":6,\"prompt_ms\":3.5,\"predicted_n\":9,\"predicted_ms\":20.5}}\n\ndata: "
      "[DONE]\n\n");
  EXPECT_EQ(form["in_total"], 70);
  EXPECT_EQ(form["cache_read"], 64);
  EXPECT_EQ(form["in_uncached"], 6);
  EXPECT_EQ(form["out_total"], 9);
}

TEST(Providers, LlamaServersMessagesRouteIsAdditive) {
  Json form = ReadText(
      R"({"id":"chatcmpl-1","type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"model":"m.gguf",)"
      R"("usage":{"cache_read_input_tokens":89,"input_tokens":1,"output_tokens":4}})");
  EXPECT_EQ(form["in_total"], 90);
  EXPECT_FALSE(HasFlag(form, "gateway_suspected"));
}

TEST(Providers, VllmsMetricsTextIsATotalSinceItsStart) {
  Json form = ReadText(
      "# HELP vllm:prefix_cache_queries_total x\n# TYPE vllm:prefix_cache_queries_total counter\n"
      "vllm:prefix_cache_queries_total{engine=\"0\",model_name=\"a {b} c\"} 600.0\n"
      "vllm:prefix_cache_queries_total{engine=\"1\",model_name=\"m\"} 531.0\n"
      "vllm:prefix_cache_hits_total{engine=\"0\",model_name=\"m\"} 400.0\n"
      "vllm:prompt_tokens_total{engine=\"0\",model_name=\"m\"} 1131.0\n"
      "vllm:generation_tokens_total{engine=\"0\",model_name=\"m\"} 2.5e+01\n");
  EXPECT_EQ(form["in_total"], 1131);
  EXPECT_EQ(form["cache_read"], 400);
  EXPECT_EQ(form["out_total"], 25);
  EXPECT_TRUE(HasFlag(form, "since_start"));
}

TEST(Providers, MetricsOfOtherServers) {
  Json llama = ReadText("llamacpp:prompt_tokens_total 30\nllamacpp:prompt_tokens_cached_total 70\n");
  EXPECT_EQ(llama["in_total"], 100);
  EXPECT_EQ(llama["cache_read"], 70);
  Json old = ReadText("llamacpp:prompt_tokens_total 30\n");
  EXPECT_TRUE(old["in_total"].is_null());
  EXPECT_TRUE(old["cache_read"].is_null());
  Json sglang = ReadText(
      "sglang:prompt_tokens_total{x=\"1\"} 50\nsglang:cached_tokens_total{cache_source=\"device\"} 20\n"
      "sglang:cached_tokens_total{cache_source=\"host\"} 10\n");
  EXPECT_EQ(sglang["cache_read"], 30);
}

TEST(Providers, AZenReplyCarriesItsCostBesideTheUsage) {
  Json form =
      ReadText(R"({"id":"x","choices":[],"cost":"0.00042","usage":{"prompt_tokens":10,"completion_tokens":1,)"
               R"("prompt_tokens_details":{"cached_tokens":0}}})");
  EXPECT_EQ(form["reported_cost"], 0.00042);
}

TEST(Providers, LmStudiosOwnApi) {
  Json form = ReadText(
      R"({"model_instance_id":"m","output":[],"stats":{"input_tokens":329,"total_output_tokens":268,"reasoning_output_tokens":5}})");
  EXPECT_EQ(form["in_total"], 329);
  EXPECT_EQ(form["out_total"], 268);
  EXPECT_EQ(form["visibility"], "absent");
}

TEST(Providers, MoreCachedThanPromptIsAContradictionNotANegativeRest) {  // sgl-project/sglang#25972
  Json form = ReadUsageObject(
      R"({"prompt_tokens":100,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":160}})");
  EXPECT_TRUE(HasFlag(form, "cached_exceeds_prompt"));
  EXPECT_EQ(form["in_total"], 160);
  EXPECT_TRUE(form["in_uncached"].is_null());
}

TEST(Providers, AnInputThatEqualsReadPlusWriteIsACoincidenceBesideASplit) {
  const std::string flat =
      R"("input_tokens":2048,"cache_read_input_tokens":1800,"cache_creation_input_tokens":248,"output_tokens":503)";
  Json split = ReadUsageObject(
      "{" + flat + R"(,"cache_creation":{"ephemeral_5m_input_tokens":148,"ephemeral_1h_input_tokens":100}})");
  EXPECT_EQ(split["in_total"], 4096);
  Json doubted = ReadUsageObject("{" + flat + "}");
  EXPECT_EQ(doubted["in_total"], 2048);
  EXPECT_TRUE(HasFlag(doubted, "input_includes_cached_suspected"));
}

TEST(Providers, ANamedProviderSettlesWhatABareInputMeans) {
  const std::string bare = R"({"usage":{"input_tokens":500,"output_tokens":3}})";
  EXPECT_TRUE(ReadText(bare)["in_total"].is_null());
  EXPECT_EQ(ReadText(bare, "openai")["in_total"], 500);
}

}  // namespace
}  // namespace helix::usage
