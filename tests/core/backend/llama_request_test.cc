#include "core/backend/llama_request.h"

#include <gtest/gtest.h>

namespace helix::backend {
namespace {

GenerateRequest Request() {
  GenerateRequest request;
  request.prompt = {1, 5, 9};
  request.output_tokens = 48;
  request.stream = true;
  return request;
}

TEST(LlamaRequest, IsStrictlyGreedyWithEveryPenaltyNeutral) {
  const Json body = LlamaCompletionBody(Request());
  EXPECT_EQ(body["temperature"], 0);
  EXPECT_EQ(body["top_k"], 1);
  EXPECT_EQ(body["repeat_penalty"], 1.0);
  EXPECT_EQ(body["presence_penalty"], 0.0);
  EXPECT_EQ(body["frequency_penalty"], 0.0);
  EXPECT_EQ(body["dry_multiplier"], 0.0);
  EXPECT_EQ(body["n_cache_reuse"], 0);
  EXPECT_EQ(body["ignore_eos"], true);
  EXPECT_TRUE(body["seed"].is_number_integer());
}

TEST(LlamaRequest, ArmsDifferInTheCacheSwitchAlone) {
  GenerateRequest on = Request();
  GenerateRequest off = Request();
  off.use_cache = false;
  Json on_body = LlamaCompletionBody(on);
  Json off_body = LlamaCompletionBody(off);
  EXPECT_EQ(on_body["cache_prompt"], true);
  EXPECT_EQ(off_body["cache_prompt"], false);
  on_body.erase("cache_prompt");
  off_body.erase("cache_prompt");
  EXPECT_EQ(on_body, off_body);
  EXPECT_EQ(LlamaSamplingParams(on), LlamaSamplingParams(off));
}

TEST(LlamaRequest, SendsTheTokensThemselvesToAPinnedSlot) {
  GenerateRequest request = Request();
  request.slot = 3;
  const Json body = LlamaCompletionBody(request);
  EXPECT_EQ(body["prompt"], Json::array({1, 5, 9}));
  EXPECT_EQ(body["id_slot"], 3);
}

TEST(LlamaRequest, AsksForProbabilitiesBeforeSamplingAndOnlyWhenTold) {
  GenerateRequest request = Request();
  EXPECT_FALSE(LlamaCompletionBody(request).contains("n_probs"));
  request.stream = false;
  request.top_logprobs = 5;
  const Json body = LlamaCompletionBody(request);
  EXPECT_EQ(body["n_probs"], 5);
  EXPECT_EQ(body["post_sampling_probs"], false);
  EXPECT_EQ(body["return_tokens"], true);
}

}  // namespace
}  // namespace helix::backend
