// Public bug reports as inputs: what went wrong there is named in each test.
#include <gtest/gtest.h>

#include "tests/core/usage/read.h"

namespace helix::usage {
namespace {

TEST(UsageReports, ReadsUsageInsideTheLastChoice) {  // earendil-works/pi#2017
  Json form = ReadText(
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\",\"usage\":"
      "{\"prompt_tokens\":100,\"completion_tokens\":5,\"cached_tokens\":64}}]}\n\ndata: [DONE]\n\n");
  EXPECT_EQ(form["in_total"], 100);
  EXPECT_EQ(form["cache_read"], 64);
  EXPECT_EQ(form["in_uncached"], 36);
  EXPECT_EQ(form["out_total"], 5);
  EXPECT_EQ(form["source"], "choices[0].usage");
}

TEST(UsageReports, ReadsACachedCountAtTheTopLevel) {  // vercel/ai#12352
  Json form = ReadText(R"({"prompt_tokens":2989,"completion_tokens":1,"cached_tokens":2989})");
  EXPECT_EQ(form["cache_read"], 2989);
  EXPECT_EQ(form["in_uncached"], 0);
  EXPECT_EQ(ReadText(R"({"prompt_tokens":2989,"completion_tokens":1,"cached_tokens":1792})")["in_uncached"],
            1197);
}

TEST(UsageReports, CountsNestedAndTopLevelOnce) {  // promptfoo/promptfoo#10132
  Json form = ReadUsageObject(
      R"({"prompt_tokens":2989,"completion_tokens":1,"cached_tokens":2989,"prompt_tokens_details":{"cached_tokens":2989}})");
  EXPECT_EQ(form["cache_read"], 2989);
  EXPECT_EQ(form["in_uncached"], 0);
  EXPECT_FALSE(HasFlag(form, "conflicting_cached_counts"));
}

TEST(UsageReports, ReadsPastTheFinishReason) {  // NorthlandPositronics/Cogtrix#2376
  const std::string finish =
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  const std::string usage =
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3}}\n\n";
  Json with = ReadText(finish + usage + "data: [DONE]\n\n");
  EXPECT_EQ(with["in_total"], 12);
  EXPECT_EQ(with["out_total"], 3);
  Json without = ReadText(finish + "data: [DONE]\n\n");
  EXPECT_TRUE(without["in_total"].is_null());
  EXPECT_TRUE(without["out_total"].is_null());
  EXPECT_TRUE(HasFlag(without, "no_usage"));
}

TEST(UsageReports, ReplacesCumulativeCountersInsteadOfAdding) {  // envoyproxy/ai-gateway#2239
  Json form = ReadText(
      Start(
          R"({"input_tokens":317,"cache_creation_input_tokens":4425,"cache_read_input_tokens":0,"output_tokens":1})") +
      Text("x") +
      Delta(
          R"({"input_tokens":317,"cache_creation_input_tokens":4425,"cache_read_input_tokens":0,"output_tokens":42})") +
      Stop());
  EXPECT_EQ(form["in_uncached"], 317);
  EXPECT_EQ(form["cache_write_5m"], 4425);
  EXPECT_EQ(form["out_total"], 42);
  EXPECT_EQ(form["in_total"], 4742);
}

TEST(UsageReports, CountsASessionLogLinePerReplyNotPerBlock) {  // ccusage/ccusage#389
  auto line = [](int out) {
    return R"({"type":"assistant","requestId":"req_1","message":{"id":"msg_bdrk_01TW","type":"message","usage":)"
           R"({"input_tokens":4,"cache_creation_input_tokens":15178,"cache_read_input_tokens":0,"output_tokens":)" +
           std::to_string(out) + "}}}\n";
  };
  auto document = ReadUsageDocument(line(1) + line(1));
  ASSERT_TRUE(document);
  ASSERT_EQ(document->replies.size(), 1u);
  EXPECT_EQ(document->repeated, 1u);
  EXPECT_EQ(document->last().usage.out_total.value().count, 1);
  EXPECT_EQ(ReadUsageDocument(line(1) + line(9))->last().usage.out_total.value().count, 9);
}

TEST(UsageReports, TakesTheLaterSplitOverThePromptSizedInput) {  // maximhq/bifrost#6598
  Json form =
      ReadText(Start(R"({"input_tokens":10000,"output_tokens":0})") + Text("x") +
               Delta(R"({"input_tokens":200,"cache_read_input_tokens":9800,"output_tokens":7})") + Stop());
  EXPECT_EQ(form["in_total"], 10000);
  EXPECT_EQ(form["in_uncached"], 200);
  EXPECT_EQ(form["cache_read"], 9800);
}

TEST(UsageReports, BillsTheRestOfAPartialSplitAtFiveMinutes) {  // Wei-Shaw/claude-relay-service#1081
  Json form = ReadUsageObject(
      R"({"input_tokens":1,"cache_read_input_tokens":0,"cache_creation_input_tokens":1000,"output_tokens":1,)"
      R"("cache_creation":{"ephemeral_5m_input_tokens":680,"ephemeral_1h_input_tokens":0}})");
  EXPECT_EQ(form["cache_write_5m"], 1000);
  EXPECT_EQ(form["cache_write_1h"], 0);
  EXPECT_TRUE(HasFlag(form, "partial_split"));
}

TEST(UsageReports, TrustsTheSplitThatExceedsItsTotalAndSaysSo) {
  Json form = ReadUsageObject(
      R"({"input_tokens":1,"cache_read_input_tokens":0,"cache_creation_input_tokens":100,"output_tokens":1,)"
      R"("cache_creation":{"ephemeral_5m_input_tokens":80,"ephemeral_1h_input_tokens":70}})");
  EXPECT_EQ(form["cache_write_5m"], 80);
  EXPECT_EQ(form["cache_write_1h"], 70);
  EXPECT_TRUE(HasFlag(form, "inconsistent"));
}

TEST(UsageReports, NeverDropsALifetimeItDoesNotKnow) {  // langchain-ai/langsmith-sdk#2519
  Json form = ReadUsageObject(
      R"({"input_tokens":1,"cache_read_input_tokens":0,"cache_creation_input_tokens":10,"output_tokens":1,)"
      R"("cache_creation":{"ephemeral_2h_input_tokens":10}})");
  EXPECT_EQ(form["cache_write_other"], 10);
  EXPECT_TRUE(HasFlag(form, "unknown_write_ttl"));
  EXPECT_EQ(form["in_total"], 11);
}

TEST(UsageReports, GeminiThoughtsAreOutputAndCachedIsPartOfThePrompt) {  // danny-avila/LibreChat#12855
  Json form =
      ReadText(R"({"candidates":[],"usageMetadata":{"promptTokenCount":11125,"cachedContentTokenCount":7441,)"
               R"("candidatesTokenCount":20,"thoughtsTokenCount":409,"totalTokenCount":11554}})");
  EXPECT_EQ(form["in_uncached"], 3684);
  EXPECT_EQ(form["out_total"], 429);
  EXPECT_EQ(form["in_total"].get<int>() + form["out_total"].get<int>(), 11554);
  Json f11 = ReadText(
      R"({"usageMetadata":{"promptTokenCount":696219,"cachedContentTokenCount":696190,"candidatesTokenCount":214,"totalTokenCount":696433}})");
  EXPECT_EQ(f11["in_uncached"], 29);
}

TEST(UsageReports, ACompressedBodyIsAnErrorNotZeroTokens) {  // router-for-me/CLIProxyAPI#1834
  Json form = ReadText(std::string("\x1f\x8b\x08\x00\x00", 5));
  ASSERT_TRUE(form.contains("failed"));
  EXPECT_NE(form["failed"].get<std::string>().find("compressed_stream"), std::string::npos);
}

TEST(UsageReports, DeadStreamsAreFailuresHoweverPolitely) {  // BerriAI/litellm#32475
  const std::string start = Start(R"({"input_tokens":5,"cache_read_input_tokens":0,"output_tokens":1})");
  Json error =
      ReadText(start + Text("a") + Text("b") +
               "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":"
               "\"Overloaded\"}}\n\n");
  EXPECT_TRUE(HasFlag(error, "error"));
  EXPECT_EQ(error["error"], "Overloaded");
  EXPECT_TRUE(HasFlag(ReadText(start + Text("a")), "truncated"));
  EXPECT_TRUE(HasFlag(ReadText(start + Delta(R"({"output_tokens":0})") + Stop()), "suspect_empty"));
  EXPECT_TRUE(HasFlag(ReadText("data: {\"error\":{\"message\":\"boom\",\"code\":500}}\n\n"), "error"));
}

TEST(UsageReports, ALiteLlmMixtureIsASubset) {  // BerriAI/litellm#9812
  Json form = ReadUsageObject(
      R"({"prompt_tokens":2059,"completion_tokens":7,"cache_creation_input_tokens":2048,"cache_read_input_tokens":0})");
  EXPECT_EQ(form["in_total"], 2059);
  EXPECT_EQ(form["in_uncached"], 11);
  EXPECT_TRUE(HasFlag(form, "mixed_shape"));
}

TEST(UsageReports, ReadsEveryLifetimeByItsRightName) {  // earendil-works/pi#5737
  const std::string head =
      R"({"input_tokens":1,"cache_read_input_tokens":0,"cache_creation_input_tokens":8882,"output_tokens":1,"cache_creation":)";
  Json hour = ReadUsageObject(head + R"({"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":8882}})");
  EXPECT_EQ(hour["cache_write_1h"], 8882);
  EXPECT_EQ(hour["cache_write_5m"], 0);
  // A typo in a proxy's field name is another lifetime, not a silent zero.
  Json typo = ReadUsageObject(head + R"({"ephemeral_1hr_input_tokens":8882}})");
  EXPECT_EQ(typo["cache_write_other"], 8882);
  EXPECT_TRUE(HasFlag(typo, "unknown_write_ttl"));
}

TEST(UsageReports, StreamedAndNotStreamedTellWhatAProxyLoses) {  // musistudio/claude-code-router#1461
  Json whole = ReadUsageObject(
      R"({"input_tokens":128,"cache_read_input_tokens":1920,"cache_creation_input_tokens":0,"output_tokens":3})");
  EXPECT_EQ(whole["cache_read"], 1920);
  EXPECT_EQ(whole["in_total"], 2048);
  // The same call streamed through the proxy: counters that are all 0 in a reply that has content.
  Json streamed =
      ReadText(Start(R"({"input_tokens":0,"output_tokens":0})") + Text("x") +
               Delta(R"({"input_tokens":0,"output_tokens":0,"cache_read_input_tokens":0})") + Stop());
  EXPECT_NE(streamed["in_total"], 2048);
  EXPECT_NE(streamed["cache_read"], 1920);
}

TEST(UsageReports, AnAnthropicShapedReplyOfAnotherServerIsDoubted) {  // XiaomiMiMo/MiMo#53
  Json form = ReadUsageObject(
      R"({"input_tokens":10000,"cache_read_input_tokens":9900,"cache_creation_input_tokens":0,"output_tokens":0})");
  EXPECT_EQ(form["cache_read"], 9900);
  EXPECT_FALSE(HasFlag(form, "input_includes_cached_suspected"));
  Json equal = ReadUsageObject(
      R"({"input_tokens":9900,"cache_read_input_tokens":9900,"cache_creation_input_tokens":0,"output_tokens":0})");
  EXPECT_TRUE(HasFlag(equal, "input_includes_cached_suspected"));
}

TEST(UsageReports, NullsInEveryChunkAndTextNumbersAreRead) {
  Json form = ReadText(
      R"(data: {"choices":[{"index":0,"delta":{"content":"a"}}],"usage":null})"
      "\n\n"
      R"(data: {"choices":[],"usage":{"prompt_tokens":"12","completion_tokens":3.0,"prompt_tokens_details":null}})"
      "\n\ndata: [DONE]\n\n");
  EXPECT_EQ(form["in_total"], 12);
  EXPECT_EQ(form["out_total"], 3);
  EXPECT_EQ(form["visibility"], "null");
}

TEST(UsageReports, AContextGaugeCountsWhatWasRead) {  // JanDeDobbeleer/oh-my-posh#7097
  Json form = ReadUsageObject(
      R"({"input_tokens":12,"cache_creation_input_tokens":800,"cache_read_input_tokens":150000,"output_tokens":90})");
  EXPECT_EQ(form["in_total"], 150812);
}

}  // namespace
}  // namespace helix::usage
