#include <gtest/gtest.h>

#include "core/usage/usage_document.h"
#include "tests/core/usage/read.h"

namespace helix::usage {
namespace {

const char* kChat =
    R"({"id":"%","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}})";

std::string Chat(const std::string& id) {
  std::string text = kChat;
  return text.replace(text.find('%'), 1, id);
}

TEST(UsageDocument, ATraceListsAllItsReplies) {
  Json form = ReadText("{\"trace\":[" + Chat("a") + "," + Chat("b") + "]}");
  EXPECT_EQ(form["id"], "b");
  ASSERT_EQ(form["replies"].size(), 2u);
  EXPECT_EQ(form["replies"][0]["id"], "a");
}

TEST(UsageDocument, APairOfNamedRepliesIsAList) {
  Json form = ReadText("{\"cold\":" + Chat("a") + ",\"warm\":" + Chat("b") + "}");
  EXPECT_EQ(form["replies"].size(), 2u);
}

TEST(UsageDocument, AWrappedReplyKeepsTheTimesRecordedBesideIt) {
  Json form = ReadText(
      "{\"request\":{\"usage\":{\"prompt_tokens\":1}},\"ttft_ms\":12.5,\"response\":" + Chat("a") + "}");
  EXPECT_EQ(form["id"], "a");
  EXPECT_EQ(form["ttft_ms"], 12.5);
  EXPECT_FALSE(form.contains("replies"));
}

TEST(UsageDocument, AGeminiStreamAsAListIsOneReply) {
  Json form = ReadText(
      R"([{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":9}},)"
      R"({"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2}}])");
  EXPECT_EQ(form["in_total"], 9);
  EXPECT_EQ(form["out_total"], 2);
  EXPECT_FALSE(form.contains("replies"));
}

TEST(UsageDocument, AnOllamaStreamOfLinesIsOneReply) {
  Json form = ReadText(
      "{\"model\":\"m\",\"response\":\"a\",\"done\":false}\n{\"model\":\"m\",\"response\":\"\",\"done\":true,"
      "\"prompt_eval_count\":26,\"prompt_eval_duration\":2000000,\"eval_count\":3,\"eval_duration\":6000000}"
      "\n");
  EXPECT_EQ(form["in_total"], 26);
  EXPECT_EQ(form["prefill_ms"], 2.0);
  EXPECT_FALSE(form.contains("replies"));
}

TEST(UsageDocument, AnErrorReplyIsAFailureWithoutNumbers) {
  Json form = ReadText(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})");
  EXPECT_TRUE(HasFlag(form, "error"));
  EXPECT_EQ(form["error"], "Overloaded");
  EXPECT_TRUE(form["in_total"].is_null());
}

TEST(UsageDocument, WhatHoldsNoReplyIsAnErrorThatSaysWhatWasExpected) {
  for (const char* bad :
       {"", "   ", "{}", "[]", "{\"a\":1}", "<html>529</html>", "{\"usage\":", "\"text\"", "42"}) {
    Json form = ReadText(bad);
    ASSERT_TRUE(form.contains("failed")) << bad;
    EXPECT_NE(form["failed"].get<std::string>().find("expected"), std::string::npos) << bad;
  }
}

TEST(UsageDocument, AnUnknownProviderIsRefusedWithTheList) {
  Json form = ReadText(Chat("a"), "gptland");
  EXPECT_NE(form["failed"].get<std::string>().find("openrouter"), std::string::npos);
}

TEST(UsageDocument, InvalidCountersAreAbsentAndFlagged) {
  Json form = ReadText(
      R"({"usage":{"prompt_tokens":"12","completion_tokens":-1,"prompt_tokens_details":{"cached_tokens":1e30}}})");
  EXPECT_EQ(form["in_total"], 12);
  EXPECT_TRUE(form["out_total"].is_null());
  EXPECT_TRUE(form["cache_read"].is_null());
  EXPECT_TRUE(HasFlag(form, "invalid_counter"));
}

}  // namespace
}  // namespace helix::usage
