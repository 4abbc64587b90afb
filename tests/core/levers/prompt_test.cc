#include "core/levers/prompt.h"

#include <gtest/gtest.h>

#include "core/base/json_fields.h"
#include "core/levers/structure.h"
#include "tests/core/levers/shapes.h"

namespace helix::levers {
namespace {

std::string Quoted(const std::string& text) {
  return DumpJson(Json(text));
}

std::string ToolResult(const std::string& id, const std::string& text, const std::string& extra = "") {
  return R"({"role":"user","content":[{"type":"tool_result","tool_use_id":")" + id + R"(","content":)" +
         Quoted(text) + extra + "}]}";
}
std::string ToolUse(const std::string& id) {
  return R"({"role":"assistant","content":[{"type":"tool_use","id":")" + id +
         R"(","name":"read","input":{"n": 1.0}}]})";
}
std::string Body(const std::vector<std::string>& messages) {
  std::string out = R"({"model":"m", "max_tokens":9007199254740993,"system":[{"type":"text","text":)" +
                    Quoted(Rows(60, true)) + R"(}],"messages":[)";
  for (std::size_t i = 0; i < messages.size(); ++i) out += (i > 0 ? "," : "") + messages[i];
  return out + "]}";
}
const char* kAsk = R"({"role":"user","content":"Which services are down?"})";

TEST(CompressPrompt, RewritesToolResultsAndLeavesEveryOtherByte) {
  const std::string before = Body({kAsk, ToolUse("toolu_1"), ToolResult("toolu_1", Rows(60, true))});
  auto out = CompressPrompt(before, {});
  ASSERT_TRUE(out);
  ASSERT_EQ(out->changed.size(), 1u);
  EXPECT_EQ(out->changed[0].pointer, "/messages/2/content/0/content");
  const auto at = before.rfind(Quoted(Rows(60, true)));
  EXPECT_EQ(out->body.substr(0, at), before.substr(0, at));
  EXPECT_TRUE(out->body.ends_with("}]}]}"));
  EXPECT_LT(out->tokens_after, out->tokens_before);
}

TEST(CompressPrompt, TouchesNothingAtOrBeforeTheLastMarker) {
  const std::string marked =
      ToolResult("toolu_1", Rows(60, true), R"(,"cache_control":{"type":"ephemeral"})");
  const std::string before =
      Body({kAsk, ToolUse("toolu_1"), marked, ToolUse("toolu_2"), ToolResult("toolu_2", Log(400))});
  auto out = CompressPrompt(before, {});
  ASSERT_TRUE(out);
  ASSERT_EQ(out->changed.size(), 1u);
  EXPECT_EQ(out->changed[0].pointer, "/messages/4/content/0/content");
  const auto end = before.find(marked) + marked.size();
  EXPECT_EQ(out->body.substr(0, end), before.substr(0, end));
}

TEST(CompressPrompt, AnAutomaticMarkerFreezesEverything) {
  std::string before = Body({kAsk, ToolUse("toolu_1"), ToolResult("toolu_1", Rows(60, true))});
  before.insert(1, R"("cache_control":{"type":"ephemeral"},)");
  EXPECT_EQ(CompressPrompt(before, {})->body, before);
}

TEST(CompressPrompt, KeepsWhatAnEarlierRequestSent) {
  const std::string before = Body({kAsk, ToolUse("toolu_1"), ToolResult("toolu_1", Rows(60, true))});
  PromptOptions options;
  options.frozen_messages = 3;
  EXPECT_EQ(CompressPrompt(before, options)->body, before);
}

TEST(CompressPrompt, KeepsTheUsersLastMessage) {
  const std::string before = Body({R"({"role":"user","content":)" + Quoted(Rows(60, true)) + "}"});
  auto out = CompressPrompt(before, {});
  EXPECT_EQ(out->body, before);
  ASSERT_EQ(out->left.size(), 1u);
  EXPECT_EQ(out->left[0].second, "the user's last message");
}

TEST(CompressPrompt, ARepeatedResultPointsBackwardsToTheFirst) {
  const std::string file = SourceFile();
  const std::string before = Body({kAsk, ToolUse("toolu_1"), ToolResult("toolu_1", file), ToolUse("toolu_2"),
                                   ToolResult("toolu_2", file)});
  auto out = CompressPrompt(before, {});
  ASSERT_EQ(out->changed.size(), 1u);
  EXPECT_EQ(out->changed[0].pointer, "/messages/4/content/0/content");
  EXPECT_NE(out->body.find("[same as tool_result toolu_1 above]"), std::string::npos);
}

TEST(CompressPrompt, WhatWasCompressedOnEntryStaysTheSameLater) {
  auto first = CompressPrompt(Body({kAsk, ToolUse("toolu_1"), ToolResult("toolu_1", Log(300))}), {});
  auto second = CompressPrompt(Body({kAsk, ToolUse("toolu_1"), ToolResult("toolu_1", Log(300)),
                                     ToolUse("toolu_2"), ToolResult("toolu_2", Rows(60, true))}),
                               {});
  const auto prefix = first->body.size() - 2;
  EXPECT_EQ(second->body.substr(0, prefix), first->body.substr(0, prefix));
}

TEST(CompressPrompt, LeavesAServersOwnToolUseAndThinkingAlone) {  // headroomlabs-ai/headroom#2438
  const std::string server =
      R"({"role":"assistant","content":[{"type":"thinking","thinking":)" + Quoted(Prose(30)) +
      R"(,"signature":"s"},{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":)" +
      Quoted(Prose(20)) +
      R"(}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"text","text":)" +
      Quoted(Rows(60, true)) + "}]}]}";
  const std::string before =
      Body({kAsk, server, ToolUse("toolu_1"), ToolResult("toolu_1", Rows(60, true)), kAsk});
  auto out = CompressPrompt(before, {});
  ASSERT_TRUE(out);
  ASSERT_EQ(out->changed.size(), 1u);
  EXPECT_EQ(out->changed[0].pointer, "/messages/3/content/0/content");
  const auto end = before.find(server) + server.size();
  EXPECT_EQ(out->body.substr(0, end), before.substr(0, end));
}

TEST(CompressPrompt, ReadsOpenAisToolMessages) {
  auto out = CompressPrompt(
      R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"tool","tool_call_id":"c1","content":)" +
          Quoted(Rows(60, true)) + "}]}",
      {});
  ASSERT_TRUE(out);
  EXPECT_EQ(out->changed.size(), 1u);
}

TEST(SameStructure, SeesALostIdAndAChangedArgumentAndNoChangedText) {
  const std::string before = Body({kAsk, ToolUse("toolu_1"), ToolResult("toolu_1", Rows(60, true))});
  EXPECT_TRUE(SameStructure(before, CompressPrompt(before, {})->body));
  for (const auto& [from, to] : {std::pair("\"tool_use_id\":\"toolu_1\"", "\"tool_use_id\":\"toolu_2\""),
                                 std::pair("{\"n\": 1.0}", "{\"n\": 2.0}")}) {
    std::string changed = before;
    changed.replace(changed.find(from), std::string(from).size(), to);
    EXPECT_FALSE(SameStructure(before, changed)) << to;
  }
}

TEST(CompressPrompt, WhatIsNoRequestIsAnError) {
  EXPECT_FALSE(CompressPrompt("{}", {}));
  EXPECT_FALSE(CompressPrompt("[1", {}));
  EXPECT_FALSE(CompressPrompt("", {}));
}

}  // namespace
}  // namespace helix::levers
