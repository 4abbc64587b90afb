#include <gtest/gtest.h>

#include "core/usage/delta_filter.h"
#include "core/usage/usage_stream.h"
#include "tests/core/usage/read.h"

namespace helix::usage {
namespace {

TEST(UsageStream, CountsUsageThatIsSentTwiceOnce) {
  const std::string usage =
      R"("usage":{"prompt_tokens":40,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":32}})";
  Json form = ReadText(
      "data: "
      "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":"
      "\"stop\"}]," +
      usage + "}\n\ndata: {\"object\":\"chat.completion.chunk\",\"choices\":[]," + usage +
      "}\n\ndata: [DONE]\n\n");
  EXPECT_EQ(form["in_total"], 40);
  EXPECT_EQ(form["cache_read"], 32);
  EXPECT_EQ(form["out_total"], 2);
}

TEST(UsageStream, IgnoresNullUsageInAllChunksButTheLast) {
  std::string body;
  for (int i = 0; i < 5; ++i) {
    body +=
        "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"\\\"usage\\\" "
        "x\"},\"finish_reason\":null}],\"usage\":null}\n\n";
  }
  body +=
      "data: "
      "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],"
      "\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5,\"prompt_tokens_details\":null}}\n\ndata: "
      "[DONE]\n\n";
  Json form = ReadText(body);
  EXPECT_EQ(form["in_total"], 7);
  EXPECT_TRUE(form["cache_read"].is_null());
  EXPECT_EQ(form["visibility"], "null");
}

TEST(UsageStream, TheLastOfTwoMessageStartsWins) {
  Json form = ReadText(Start(R"({"input_tokens":900,"cache_read_input_tokens":8,"output_tokens":1})") +
                       Start(R"({"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":1})") +
                       Text("x") + Delta(R"({"output_tokens":3})") + Stop());
  EXPECT_EQ(form["in_total"], 15);
  EXPECT_TRUE(HasFlag(form, "restarted"));
}

TEST(UsageStream, SumsIterationsWhenOneIsACompaction) {
  Json form = ReadUsageObject(
      R"({"input_tokens":100,"output_tokens":20,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"iterations":[)"
      R"({"type":"compaction","input_tokens":5000,"output_tokens":300,"cache_read_input_tokens":40,"cache_creation_input_tokens":0},)"
      R"({"type":"message","input_tokens":100,"output_tokens":20,"cache_read_input_tokens":0,"cache_creation_input_tokens":60}]})");
  EXPECT_EQ(form["in_uncached"], 5100);
  EXPECT_EQ(form["out_total"], 320);
  EXPECT_EQ(form["cache_read"], 40);
  EXPECT_EQ(form["cache_write_5m"], 60);
  EXPECT_EQ(form["in_total"], 5200);
}

TEST(UsageStream, ReadsAResponsesStream) {
  Json form = ReadText(
      "event: response.output_text.delta\ndata: "
      "{\"type\":\"response.output_text.delta\",\"delta\":\"hi\"}\n\n"
      "event: response.completed\ndata: "
      "{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"object\":\"response\",\"usage\":"
      "{\"input_tokens\":2006,\"input_tokens_details\":{\"cached_tokens\":1920},\"output_tokens\":300,"
      "\"output_tokens_details\":"
      "{\"reasoning_tokens\":7},\"total_tokens\":2306}}}\n\n");
  EXPECT_EQ(form["in_total"], 2006);
  EXPECT_EQ(form["in_uncached"], 86);
  EXPECT_EQ(form["out_reasoning"], 7);
  EXPECT_FALSE(HasFlag(form, "truncated"));
}

TEST(UsageStream, InputNamedBeforeTheCacheCountersIsTheWholePrompt) {
  Json form = ReadText(Start(R"({"input_tokens":4000,"output_tokens":0})") + Text("x") +
                       Delta(R"({"cache_read_input_tokens":3904,"output_tokens":7})") + Stop());
  EXPECT_EQ(form["in_total"], 4000);
  EXPECT_EQ(form["in_uncached"], 96);
  EXPECT_TRUE(HasFlag(form, "input_includes_cached_suspected"));
}

TEST(DeltaFilter, SkipsOnlyWhatHoldsNothing) {
  EXPECT_TRUE(IsPlainDelta(
      R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"usage"}})"));
  EXPECT_TRUE(IsPlainDelta(
      R"({"object":"chat.completion.chunk","choices":[{"delta":{"content":"\"usage\":{"},"finish_reason":null}],"usage": null})"));
  for (const char* kept :
       {R"({"object":"chat.completion.chunk","choices":[],"usage" : {"prompt_tokens":1}})",
        R"({"object":"chat.completion.chunk","choices":[{"finish_reason":"stop"}]})",
        R"({"object":"chat.completion.chunk","usage":null,"x":{"usage":{"prompt_tokens":1}}})",
        R"({"object":"chat.completion.chunk","timings":{}})",
        R"({"object":"chat.completion.chunk","error":{}})",
        R"({"object":"chat.completion.chunk","cost":"0.1"})", R"({"type":"message_delta","usage":{}})",
        R"({"text":"x"})"}) {
    EXPECT_FALSE(IsPlainDelta(kept)) << kept;
  }
}

}  // namespace
}  // namespace helix::usage
