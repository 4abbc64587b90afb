#include "core/consistency/identity.h"

#include <gtest/gtest.h>

#include <numeric>

namespace helix::consistency {
namespace {

constexpr const char* kSpace = R"({"model":"sha256:00","tok":"sha256:11"})";

std::vector<std::int32_t> OneToTwelve() {
  std::vector<std::int32_t> tokens(12);
  std::iota(tokens.begin(), tokens.end(), 1);
  return tokens;
}

TEST(BlockChain, GivesTheGoldenDigests) {
  const BlockChain chain = ChainOf(kSpace, OneToTwelve(), 4);
  EXPECT_EQ(evidence::Hex(chain.root), "0dfffc5a9e3b7ef343ceba43cec566424691c1b0e690715b2086a4ec529b5eca");
  ASSERT_EQ(chain.blocks.size(), 3u);
  EXPECT_EQ(evidence::Hex(chain.blocks[0]),
            "3b511ac2dbbda6c4f166d0cf794b17809d4e948aafe61e568246feebfe451377");
  EXPECT_EQ(evidence::Hex(chain.blocks[1]),
            "8f6aa9432bf9ab80b6b5197da12f675ad0054d37b174d8ee9ce6ff01f1690c1b");
  EXPECT_EQ(evidence::Hex(chain.blocks[2]),
            "0bd1d09ae2fdc7a568491d659eb217d87fc9f662f831c023779f3befba0514e8");
}

TEST(BlockChain, AChangedTokenChangesItsBlockAndAllAfterIt) {
  auto tokens = OneToTwelve();
  const BlockChain before = ChainOf(kSpace, tokens, 4);
  tokens[5] = 99;
  const BlockChain after = ChainOf(kSpace, tokens, 4);
  EXPECT_EQ(before.blocks[0], after.blocks[0]);
  EXPECT_EQ(evidence::Hex(after.blocks[1]),
            "62a5272624672a35793de61c00bc8bbb2d54666d55c7dc8e59fc69aeebceb9cd");
  EXPECT_EQ(evidence::Hex(after.blocks[2]),
            "c5aed6331f1d8c0deca58a3f5470c1fdf3988eae4c352919d78a1eb026bb986d");
  EXPECT_EQ(SharedTokens(before, after, 4), 4u);
}

TEST(BlockChain, AnotherNamespaceSharesNothingAndExtraBytesCount) {
  const auto tokens = OneToTwelve();
  EXPECT_EQ(SharedTokens(ChainOf("a", tokens, 4), ChainOf("b", tokens, 4), 4), 0u);
  EXPECT_EQ(SharedTokens(ChainOf("a", tokens, 4, {"", "30x100"}), ChainOf("a", tokens, 4, {"", "100x30"}), 4),
            4u);
  EXPECT_TRUE(ChainOf("a", {1, 2, 3}, 4).blocks.empty());
}

TEST(RequestDigest, IsBlindToKeyOrderNumbersFormAndTransport) {
  const Json one = *ParseJson(R"({"model":"m","temperature":0,"messages":[{"role":"user","content":"hi"}]})");
  const Json two = *ParseJson(
      R"({"messages":[{"content":"hi","role":"user"}],"stream":true,"temperature":0.0,"user":"u","model":"m"})");
  const Json other =
      *ParseJson(R"({"model":"m","temperature":1,"messages":[{"role":"user","content":"hi"}]})");
  EXPECT_EQ(CanonicalRequestDigest(one), CanonicalRequestDigest(two));
  EXPECT_NE(CanonicalRequestDigest(one), CanonicalRequestDigest(other));
  EXPECT_NE(RawRequestDigest(R"({"a":1,"b":2})"), RawRequestDigest(R"({"b":2,"a":1})"));
}

// Every field that the state of a token depends on, written down again here: a field lost from the key fails.
TEST(KeyCompleteness, EachFieldOfTheEnvironmentChangesTheKey) {
  const std::vector<std::string> must = {"weights_sha256",   "architecture", "rope",
                                         "tokenizer_sha256", "loras",        "multimodal_inputs",
                                         "kv_dtype",         "engine_build", "attention_backend",
                                         "tensor_parallel",  "salt"};
  const Json base = Json::object();
  for (const std::string& field : must) {
    Json changed = base;
    changed[field] = "x";
    EXPECT_NE(KvDigest(base), KvDigest(changed)) << field;
    EXPECT_NE(OutputDigest(base), OutputDigest(changed)) << field;
  }
}

TEST(KeyCompleteness, SamplingChangesTheOutputAndNotTheState) {
  for (const char* field : {"temperature", "top_k", "top_p", "min_p", "penalties", "samplers", "seed",
                            "grammar", "logit_bias", "logprobs", "max_tokens", "stop", "batch_composition"}) {
    Json changed = Json::object();
    changed[field] = 1;
    EXPECT_EQ(KvDigest(Json::object()), KvDigest(changed)) << field;
    EXPECT_NE(OutputDigest(Json::object()), OutputDigest(changed)) << field;
  }
  for (const char* field : {"stream", "user", "request_id", "endpoint", "port"}) {
    Json changed = Json::object();
    changed[field] = 1;
    EXPECT_EQ(OutputDigest(Json::object()), OutputDigest(changed)) << field;
  }
}

}  // namespace
}  // namespace helix::consistency
