#include "core/backend/prompt_logprobs.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_http_server.h"

namespace helix::backend {
namespace {

TEST(PromptLogprobs, ReadsVllmsListWithItsEmptyFirstEntry) {
  const Json reply = *ParseJson(
      R"({"choices":[{"text":" x","prompt_logprobs":[null,{"262":{"logprob":-1.5,"rank":1,"decoded_token":" the"}},)"
      R"({"88":{"logprob":-9.25,"rank":812,"decoded_token":" crane"}}]}],"usage":{"prompt_tokens":3}})");
  auto out = ReadCompletionLogprobs(reply, "At the crane");
  ASSERT_TRUE(out) << out.error().Text();
  ASSERT_EQ(out->tokens.size(), 3u);
  EXPECT_EQ(out->tokens[0].text, "At");
  EXPECT_FALSE(out->tokens[0].logprob);
  EXPECT_EQ(out->tokens[2].logprob, -9.25);
  EXPECT_EQ(out->server, "vllm");
}

TEST(PromptLogprobs, ReadsTheEchoedForm) {
  const Json reply = *ParseJson(
      R"({"choices":[{"logprobs":{"tokens":["A"," B"," C","!"],"token_logprobs":[null,-2,-3,-4]}}],"usage":{"prompt_tokens":3}})");
  auto out = ReadCompletionLogprobs(reply, "A B C");
  ASSERT_TRUE(out) << out.error().Text();
  EXPECT_EQ(out->tokens.size(), 3u);
}

TEST(PromptLogprobs, ReadsSglangsListAndDropsItsBos) {
  const Json reply = *ParseJson(
      R"({"text":"","meta_info":{"input_token_logprobs":[[null,1,"<s>"],[-3.5,10,"A"],[-0.5,11," B"]]}})");
  auto out = ReadGenerateLogprobs(reply, "A B");
  ASSERT_TRUE(out) << out.error().Text();
  ASSERT_EQ(out->tokens.size(), 2u);
  EXPECT_EQ(out->tokens[0].logprob, -3.5);
}

TEST(PromptLogprobs, OneGeneratedEntryForANineTokenPromptIsUnsupported) {  // ggml-org/llama.cpp#27174
  const Json reply = *ParseJson(
      R"({"choices":[{"text":"x","logprobs":{"content":[{"token":"x","logprob":-1.0}]}}],"usage":{"prompt_tokens":9}})");
  auto out = ReadCompletionLogprobs(reply, "A B C D E F G H I");
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().message.find("prompt_logprobs: unsupported"), std::string::npos);
  EXPECT_NE(out.error().message.find("1 generated tokens and of none of the prompt's 9"), std::string::npos);
  EXPECT_NE(out.error().hint.find("vLLM or SGLang"), std::string::npos);
}

TEST(PromptLogprobs, TokensThatDoNotGiveThePromptBackAreUnsupported) {
  const Json reply = *ParseJson(
      R"({"choices":[{"logprobs":{"tokens":["A","?"," C"],"token_logprobs":[null,-2,-3]}}],"usage":{"prompt_tokens":3}})");
  EXPECT_FALSE(ReadCompletionLogprobs(reply, "A B C"));
  for (const char* odd :
       {"[]", "{}", R"({"choices":[]})", R"({"choices":[{"prompt_logprobs":[]}]})",
        R"({"choices":[{"prompt_logprobs":[null,null]}]})", R"({"choices":[{"prompt_logprobs":7}]})"}) {
    EXPECT_FALSE(ReadCompletionLogprobs(*ParseJson(odd), "A B")) << odd;
    EXPECT_FALSE(ReadGenerateLogprobs(*ParseJson(odd), "A B")) << odd;
  }
}

TEST(PromptLogprobs, AsksTheSecondWayWhenTheFirstIsNotThere) {
  fakes::FakeHttpServer server;  // SGLang's route alone
  server.On("POST", "/generate", [](const fakes::ReceivedRequest&, fakes::FakeConnection& connection) {
    connection.Reply(200, R"({"meta_info":{"input_token_logprobs":[[null,1,"A"],[-0.5,11," B"]]}})");
  });
  auto out = FetchPromptLogprobs(server.base_url(), "", "A B", RunContext{});
  ASSERT_TRUE(out) << out.error().Text();
  EXPECT_EQ(out->server, "sglang");
}

}  // namespace
}  // namespace helix::backend
