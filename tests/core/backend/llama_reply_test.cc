#include "core/backend/llama_reply.h"

#include <gtest/gtest.h>

namespace helix::backend {
namespace {

Json Final() {
  return {{"index", 0},
          {"content", "ab"},
          {"tokens", {98, 99}},
          {"id_slot", 0},
          {"stop", true},
          {"model", "m.gguf"},
          {"tokens_predicted", 2},
          {"tokens_evaluated", 520},
          {"truncated", false},
          {"stop_type", "limit"},
          {"tokens_cached", 521},
          {"timings",
           {{"cache_n", 500},
            {"prompt_n", 20},
            {"prompt_ms", 12.5},
            {"predicted_n", 2},
            {"predicted_ms", 3.25}}}};
}

TEST(LlamaReply, TakesReusedTokensFromTimingsAndNeverFromTokensCached) {
  GenerateReply reply;
  ASSERT_TRUE(ReadLlamaFinal(Final(), reply));
  EXPECT_EQ(reply.prompt_tokens, Measured<std::int64_t>(520, Origin::kServer));
  EXPECT_EQ(reply.cached_tokens, Measured<std::int64_t>(500, Origin::kServer));
  EXPECT_EQ(reply.processed_tokens, Measured<std::int64_t>(20, Origin::kServer));
  EXPECT_EQ(reply.prefill_ms, Measured<double>(12.5, Origin::kServer));
  EXPECT_EQ(reply.decode_ms, Measured<double>(3.25, Origin::kServer));
  EXPECT_EQ(reply.finish, "length");
  EXPECT_EQ(reply.tokens, (std::vector<TokenId>{98, 99}));
  EXPECT_TRUE(reply.has_token_ids);
}

TEST(LlamaReply, DerivesReusedTokensOnBuildsWithoutTheirOwnCounterAndSaysSo) {
  Json old = Final();
  old["timings"].erase("cache_n");
  GenerateReply reply;
  ASSERT_TRUE(ReadLlamaFinal(old, reply));
  EXPECT_EQ(reply.cached_tokens, Measured<std::int64_t>(500, Origin::kDerived));
}

TEST(LlamaReply, LeavesCountersAbsentWhenTheServerIsSilent) {
  Json silent = Final();
  silent.erase("timings");
  GenerateReply reply;
  ASSERT_TRUE(ReadLlamaFinal(silent, reply));
  EXPECT_FALSE(reply.cached_tokens.present());
  EXPECT_FALSE(reply.prefill_ms.present());
}

TEST(LlamaReply, RefusesAnObjectThatIsNotAFinishedCompletion) {
  GenerateReply reply;
  EXPECT_FALSE(ReadLlamaFinal({{"status", "ok"}}, reply));
  EXPECT_FALSE(ReadLlamaFinal(Json::array(), reply));
  Json unfinished = Final();
  unfinished["stop"] = false;
  EXPECT_EQ(ReadLlamaFinal(unfinished, reply).error().code, ErrorCode::kProtocol);
  Json typed_wrong = Final();
  typed_wrong["tokens_predicted"] = "2";
  EXPECT_FALSE(ReadLlamaFinal(typed_wrong, reply));
}

TEST(LlamaReply, DropsIdsWhenSomeAreMissing) {
  Json lossy = Final();
  lossy["tokens"] = {98};
  GenerateReply reply;
  ASSERT_TRUE(ReadLlamaFinal(lossy, reply));
  EXPECT_FALSE(reply.has_token_ids);
  EXPECT_TRUE(reply.tokens.empty());
}

TEST(LlamaReply, KeepsLogprobsOnlyWithOneEntryPerToken) {
  const Json entry = {
      {"id", 98},
      {"bytes", {97}},
      {"logprob", -0.5},
      {"top_logprobs",
       {{{"id", 98}, {"bytes", {97}}, {"logprob", -0.5}}, {{"id", 7}, {"bytes", {200}}, {"logprob", -1.5}}}}};
  Json with = Final();
  with["completion_probabilities"] = {entry, entry};
  GenerateReply reply;
  ASSERT_TRUE(ReadLlamaFinal(with, reply));
  ASSERT_EQ(reply.logprobs.size(), 2U);
  EXPECT_EQ(reply.logprobs[0].top[1].bytes, "\xC8");
  EXPECT_EQ(reply.logprobs[0].top[1].logprob, -1.5);

  with["completion_probabilities"] = {entry};
  GenerateReply lossy;
  ASSERT_TRUE(ReadLlamaFinal(with, lossy));
  EXPECT_TRUE(lossy.logprobs.empty());
}

TEST(LlamaReply, ReadsErrorsAsObjectsAndAsText) {
  const auto object = LlamaError(
      Json::parse(
          R"({"error":{"code":400,"message":"request (9000 tokens) exceeds","type":"exceed_context_size_error"}})"),
      400);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->code, ErrorCode::kInvalidArgument);
  EXPECT_NE(object->hint.find("-c"), std::string::npos);
  const auto text = LlamaError(Json::parse(R"({"error":"Unauthorized"})"), 401);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->code, ErrorCode::kRefused);
  EXPECT_NE(text->hint.find("HELIX_LLM_API_KEY"), std::string::npos);
  EXPECT_FALSE(LlamaError(Json::parse(R"({"error":null})"), 200));
  EXPECT_FALSE(LlamaError(Json::parse("[1]"), 200));
}

std::string Token(int id, const char* text, int n) {
  return DumpJson(
      {{"index", 0}, {"content", text}, {"tokens", {id}}, {"stop", false}, {"tokens_predicted", n}});
}

std::string StreamFinal() {
  Json last = Final();
  last["content"] = "";
  last["tokens"] = Json::array();
  return DumpJson(last);
}

TEST(LlamaStream, TakesTheFirstTokenNotTheFirstEvent) {
  LlamaStream stream;
  ASSERT_TRUE(stream.Event(
      R"({"content":"","tokens":[0],"stop":false,"prompt_progress":{"total":9,"cache":0,"processed":0}})",
      10));
  EXPECT_FALSE(stream.first_token_ns());
  ASSERT_TRUE(stream.Event(Token(98, "a", 1), 20));
  ASSERT_TRUE(stream.Event(Token(99, "b", 2), 30));
  ASSERT_TRUE(stream.Event(StreamFinal(), 40));
  GenerateReply reply;
  ASSERT_TRUE(stream.Finish(reply));
  EXPECT_EQ(stream.first_token_ns(), 20);
  EXPECT_EQ(reply.first_event_tokens, Measured<std::int64_t>(1, Origin::kServer));
  EXPECT_EQ(reply.text, "ab");
  EXPECT_EQ(reply.tokens, (std::vector<TokenId>{98, 99}));
  EXPECT_TRUE(reply.has_token_ids);
}

TEST(LlamaStream, WithoutItsFinalEventIsAnErrorNotAShortAnswer) {
  LlamaStream stream;
  ASSERT_TRUE(stream.Event(Token(98, "a", 1), 20));
  GenerateReply reply;
  EXPECT_EQ(stream.Finish(reply).error().code, ErrorCode::kProtocol);
}

TEST(LlamaStream, CarriesAnErrorThatComesInsideIt) {
  LlamaStream stream;
  ASSERT_TRUE(stream.Event(Token(98, "a", 1), 20));
  const Status status =
      stream.Event(R"({"error":{"code":500,"message":"Compute error.","type":"server_error"}})", 30);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("Compute error"), std::string::npos);
}

TEST(LlamaStream, RefusesWhatIsNotJsonAndWhatFollowsTheEnd) {
  LlamaStream stream;
  EXPECT_EQ(stream.Event("not json", 1).error().code, ErrorCode::kParse);
  ASSERT_TRUE(stream.Event(StreamFinal(), 2));
  EXPECT_FALSE(stream.Event(Token(98, "a", 3), 3));
}

TEST(LlamaStream, ForgetsIdsOfAStreamThatLostSome) {
  LlamaStream stream;
  ASSERT_TRUE(stream.Event(Token(99, "ab", 2), 20));
  ASSERT_TRUE(stream.Event(StreamFinal(), 40));
  GenerateReply reply;
  ASSERT_TRUE(stream.Finish(reply));
  EXPECT_FALSE(reply.has_token_ids);
  EXPECT_EQ(reply.first_event_tokens, Measured<std::int64_t>(2, Origin::kServer));
}

}  // namespace
}  // namespace helix::backend
