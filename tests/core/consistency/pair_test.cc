// Tools, history and provider rules of two requests, with the near misses that must stay healthy.
#include <gtest/gtest.h>

#include <functional>

#include "core/base/json_fields.h"
#include "core/consistency/case_diagnosis.h"
#include "core/consistency/pair_diagnosis.h"
#include "tests/core/consistency/bodies.h"

namespace helix::consistency {
namespace {

using Edit = std::function<void(Json&)>;

Json Diagnose(const Json& a, const Json& b, Json more = Json::object()) {
  more["a"] = a;
  more["b"] = b;
  auto result = DiagnoseCase(Json{{"kind", "request_pair"}, {"input", more}}, {});
  return result ? *result : Json{{"verdict", result.error().Text()}};
}

// The next turn of `body`, changed by `edit`.
Json After(const Json& body, const Edit& edit, Json more = Json::object()) {
  Json b = NextTurn(body);
  edit(b);
  return Diagnose(body, b, std::move(more));
}

std::string Verdict(const Json& result) {
  return StringAt(result, "verdict").value_or("");
}
std::string Pointer(const Json& result) {
  return StringAt(result, "first_divergence").value_or("none");
}

void Expect(const Json& result, const std::string& verdict, const std::string& pointer) {
  EXPECT_EQ(Verdict(result), verdict) << result.dump(1);
  EXPECT_EQ(Pointer(result), pointer) << result.dump(1);
}

TEST(HealthyPair, AnotherTurnOfAnyShapeIsAppendOnly) {
  for (const Json& body : {AnthropicBody(), ChatBody()})
    Expect(After(body, [](Json&) {}), "OK_APPEND_ONLY", "none");
  const Json responses =
      *ParseJson(R"({"model":"m","instructions":"Be brief.","input":[{"role":"user","content":"q"}]})");
  Json longer = responses;
  longer["input"].push_back(
      *ParseJson(R"({"type":"function_call","call_id":"1","name":"f","arguments":"{}"})"));
  Expect(Diagnose(responses, longer), "OK_APPEND_ONLY", "none");
  Expect(Diagnose(*ParseJson(R"({"prompt":"once upon"})"), *ParseJson(R"({"prompt":"once upon a time"})")),
         "OK_APPEND_ONLY", "none");
}

TEST(HealthyPair, EqualBodiesAndOtherSamplingAreHealthy) {
  Expect(Diagnose(ChatBody(), ChatBody()), "OK_APPEND_ONLY", "none");
  Expect(After(ChatBody(),
               [](Json& b) {
                 b["temperature"] = 0.5;
                 b["max_tokens"] = 9;
                 b["stream"] = true;
               }),
         "OK_APPEND_ONLY", "none");
}

TEST(HealthyPair, ABlockAddedToTheLastMessageIsAppendOnly) {
  Json b = AnthropicBody();
  b["messages"][2]["content"].push_back(
      *ParseJson(R"({"type":"text","text":"go on","cache_control":{"type":"ephemeral"}})"));
  Expect(Diagnose(AnthropicBody(), b), "OK_APPEND_ONLY", "none");
}

TEST(ModelChange, IsNamedBeforeEverythingElse) {
  Expect(After(ChatBody(),
               [](Json& b) {
                 b["model"] = "other";
                 b["messages"][0]["content"] = "x";
               }),
         "MODEL_CHANGED", "/model");
}

TEST(Tools, ReorderedChangedOrWithOtherKeyOrder) {
  const Json body = AnthropicBody();
  Expect(After(body, [](Json& b) { std::swap(b["tools"][0], b["tools"][2]); }), "TOOLS_REORDERED",
         "/tools/0/name");
  Expect(After(body, [](Json& b) { std::swap(b["tools"][1], b["tools"][2]); }), "TOOLS_REORDERED",
         "/tools/1/name");
  Expect(After(body, [](Json& b) { b["tools"].erase(2); }), "TOOLS_CHANGED", "/tools/2");
  Expect(
      After(body, [](Json& b) { b["tools"].push_back(*ParseJson(R"({"name":"New","input_schema":{}})")); }),
      "TOOLS_CHANGED", "/tools/3");
  Expect(After(body, [](Json& b) { b["tools"][1]["description"] = "Search all files"; }), "TOOLS_CHANGED",
         "/tools/1/description");
  Expect(After(body, [](Json& b) { b.erase("tools"); }), "TOOLS_CHANGED", "/tools");
  Expect(After(body,
               [](Json& b) {
                 b["tools"][0]["input_schema"]["properties"] =
                     *ParseJson(R"({"offset":{"type":"integer"},"path":{"type":"string"}})");
               }),
         "TOOL_SCHEMA_KEY_ORDER", "/tools/0/input_schema/properties");
  Expect(
      After(
          body,
          [](Json& b) {
            b["tools"][1] = *ParseJson(
                R"({"input_schema":{"type":"object","properties":{"pattern":{"type":"string"}}},"name":"Grep","description":"Search files"})");
          }),
      "TOOL_SCHEMA_KEY_ORDER", "/tools/1");
}

TEST(Tools, AMarkerOnAToolIsNoChange) {
  Expect(After(AnthropicBody(),
               [](Json& b) {
                 b["tools"][2]["cache_control"] = Json{{"type", "ephemeral"}};
               }),
         "OK_APPEND_ONLY", "none");
}

TEST(History, ArgumentsReserialised) {
  Expect(After(ChatBody(),
               [](Json& b) {
                 b["messages"][2]["tool_calls"][0]["function"]["arguments"] =
                     R"({"unit":"C","place":"Oslo"})";
               }),
         "TOOLCALL_ARGS_REORDERED", "/messages/2/tool_calls/0/function/arguments");
  Expect(After(ChatBody(),
               [](Json& b) {
                 b["messages"][2]["tool_calls"][0]["function"]["arguments"] =
                     R"({"place": "Oslo", "unit": "C"})";
               }),
         "TOOLCALL_ARGS_REORDERED", "/messages/2/tool_calls/0/function/arguments");
  Expect(After(AnthropicBody(),
               [](Json& b) {
                 b["messages"][1]["content"][1]["input"] =
                     *ParseJson(R"({"offset":0,"path":"CHANGELOG.md"})");
               }),
         "TOOLCALL_ARGS_REORDERED", "/messages/1/content/1/input");
  Expect(After(ChatBody(),
               [](Json& b) {
                 b["messages"][2]["tool_calls"][0]["function"]["arguments"] =
                     R"({"place":"Bergen","unit":"C"})";
               }),
         "HISTORY_REWRITTEN", "/messages/2/tool_calls/0/function/arguments");
}

TEST(History, ReasoningDropped) {
  Json a = ChatBody();
  a["messages"][2] = *ParseJson(R"({"role":"assistant","reasoning_content":"hm","content":"4 degrees"})");
  Expect(After(a, [](Json& b) { b["messages"][2].erase("reasoning_content"); }), "REASONING_DROPPED",
         "/messages/2/reasoning_content");
  a["messages"][2] = *ParseJson(R"({"role":"assistant","content":"<think>hm</think>\n4 degrees"})");
  Expect(After(a, [](Json& b) { b["messages"][2]["content"] = "4 degrees"; }), "REASONING_DROPPED",
         "/messages/2/content");
  Json thinking = AnthropicBody();
  thinking["messages"][1]["content"].insert(
      thinking["messages"][1]["content"].begin(),
      *ParseJson(R"({"type":"thinking","thinking":"hm","signature":"s"})"));
  Expect(After(thinking, [](Json& b) { b["messages"][1]["content"].erase(0); }), "REASONING_DROPPED",
         "/messages/1/content/0/type");
  Expect(After(thinking,
               [](Json& b) {
                 b["messages"][1]["content"].erase(0);
                 b["messages"][1]["content"][0]["text"] = "Other.";
               }),
         "HISTORY_REWRITTEN", "/messages/1/content/0/type");
}

TEST(History, TheSameTextInAnotherForm) {
  Expect(After(ChatBody(),
               [](Json& b) {
                 b["messages"][1]["content"] =
                     *ParseJson(R"([{"type":"text","text":"what is the weather in Oslo"}])");
               }),
         "REPRESENTATION_CHANGED", "/messages/1/content");
  Expect(After(AnthropicBody(),
               [](Json& b) { b["system"] = "You help with code. Answer in one line. Never guess."; }),
         "REPRESENTATION_CHANGED", "/system");
  Expect(After(AnthropicBody(),
               [](Json& b) {
                 b["messages"][2]["content"][0]["content"] =
                     *ParseJson(R"([{"type":"text","text":"0.1 first release"}])");
               }),
         "REPRESENTATION_CHANGED", "/messages/2/content/0/content");
  Expect(After(ChatBody(),
               [](Json& b) {
                 b["messages"][1]["content"] =
                     *ParseJson(R"([{"type":"text","text":"what is the weather in Rome"}])");
               }),
         "HISTORY_REWRITTEN", "/messages/1/content");
}

TEST(History, ReorderedMovedOrRewritten) {
  Json two = AnthropicBody();
  two["messages"][2]["content"].push_back(
      *ParseJson(R"({"type":"tool_result","tool_use_id":"t2","content":"second"})"));
  Expect(
      After(two, [](Json& b) { std::swap(b["messages"][2]["content"][0], b["messages"][2]["content"][1]); }),
      "HISTORY_REORDERED", "/messages/2/content/0/tool_use_id");
  Json chat = ChatBody();
  chat["messages"].push_back(*ParseJson(R"({"role":"tool","tool_call_id":"c2","content":"sunny"})"));
  Expect(After(chat, [](Json& b) { std::swap(b["messages"][3], b["messages"][4]); }), "HISTORY_REORDERED",
         "/messages/3/tool_call_id");
  Json reminded = AnthropicBody();
  reminded["messages"][0]["content"] = *ParseJson(
      R"([{"type":"text","text":"<system-reminder>skills: a, b</system-reminder>"},{"type":"text","text":"read the changelog"}])");
  Json moved = NextTurn(reminded);
  const Json reminder = moved["messages"][0]["content"][0];
  moved["messages"][0]["content"].erase(0);
  moved["messages"][4]["content"].insert(moved["messages"][4]["content"].begin(), reminder);
  Expect(Diagnose(reminded, moved), "HISTORY_BLOCK_MOVED", "/messages/0/content/0/text");
  Expect(After(ChatBody(), [](Json& b) { b["messages"][1]["content"] = "what is the weather in Oslo?"; }),
         "HISTORY_REWRITTEN", "/messages/1/content");
  Expect(After(ChatBody(), [](Json& b) { b["messages"].erase(1); }), "HISTORY_REWRITTEN", "/messages/1/role");
  Expect(After(ChatBody(),
               [](Json& b) {
                 b["messages"].insert(b["messages"].begin() + 1,
                                      *ParseJson(R"({"role":"user","content":"first hello"})"));
               }),
         "HISTORY_REWRITTEN", "/messages/1/content");
}

TEST(Hoisting, BreaksOnlyWhenASystemMessageWasAppended) {
  const Json hoist{{"transform", "hoist_system"}};
  const auto remind = [](Json& b) {
    b["messages"].push_back(
        *ParseJson(R"({"role":"system","content":"<total_tokens>77 tokens left</total_tokens>"})"));
  };
  Expect(After(AnthropicBody(), remind, hoist), "MID_SYSTEM_HOISTED", "/system (after hoist)");
  Expect(After(ChatBody(), remind, hoist), "MID_SYSTEM_HOISTED", "/system (after hoist)");
  Expect(After(
             ChatBody(), [](Json&) {}, hoist),
         "OK_APPEND_ONLY", "none");
  Expect(After(ChatBody(), remind), "OK_APPEND_ONLY", "none");
}

TEST(Breakpoints, MissingNotAdvancingOrOutOfReach) {
  const auto unmark = [](Json& body) {
    body["system"][0].erase("cache_control");
    for (Json& message : body["messages"])
      if (message["content"].is_array())
        for (Json& block : message["content"]) block.erase("cache_control");
  };
  Json bare = AnthropicBody();
  unmark(bare);
  Expect(After(bare, unmark), "BREAKPOINT_MISSING", "none");
  Json head = bare;
  head["system"][0]["cache_control"] = Json{{"type", "ephemeral"}};
  Expect(After(head, [](Json& b) { b["messages"][4]["content"][0].erase("cache_control"); }),
         "BREAKPOINT_MISSING", "none");
  Expect(After(AnthropicBody(), [](Json& b) { b["messages"][4]["content"][0].erase("cache_control"); }),
         "BREAKPOINT_NOT_ADVANCING", "none");
  Expect(After(bare, unmark, Json{{"backend", "llama-server"}}), "OK_APPEND_ONLY", "none");
  Expect(After(bare,
               [&](Json& b) {
                 unmark(b);
                 b["cache_control"] = Json{{"type", "ephemeral"}};
               }),
         "OK_APPEND_ONLY", "none");
}

// Anthropic's own example: written at block 15; a marker at 34 still reads it, one at 35 does not.
TEST(Breakpoints, AReadLooksBackTwentyBlocksAndNotOneMore) {
  for (const auto& [extra, verdict] : {std::pair(19, "OK_APPEND_ONLY"), std::pair(20, "LOOKBACK_EXCEEDED"),
                                       std::pair(40, "LOOKBACK_EXCEEDED")}) {
    Json b = AnthropicBody();
    b["messages"][2]["content"][0].erase("cache_control");
    for (int i = 1; i < extra; ++i)
      b["messages"].push_back(
          Json{{"role", i % 2 ? "assistant" : "user"}, {"content", "t" + std::to_string(i)}});
    b["messages"].push_back(*ParseJson(
        R"({"role":"user","content":[{"type":"text","text":"end","cache_control":{"type":"ephemeral"}}]})"));
    const Json result = Diagnose(AnthropicBody(), b);
    EXPECT_EQ(Verdict(result), verdict) << extra;
    if (std::string(verdict) == "LOOKBACK_EXCEEDED") {
      EXPECT_EQ(IntAt(result, "blocks_since_last_breakpoint"), extra);
    }
  }
}

TEST(Breakpoints, OnATextThatIsRenewedEveryTurn) {
  Json a = AnthropicBody();
  a["messages"].push_back(*ParseJson(
      R"({"role":"system","content":[{"type":"text","text":"<total_tokens>50 tokens left</total_tokens>","cache_control":{"type":"ephemeral"}}]})"));
  Json b = NextTurn(AnthropicBody());
  Expect(Diagnose(a, b), "BREAKPOINT_ON_VOLATILE", "/messages/3/role");
  Json clock = AnthropicBody();
  clock["messages"][2]["content"].push_back(
      *ParseJson(R"({"type":"text","text":"<now>10:00:01</now>","cache_control":{"type":"ephemeral"}})"));
  Json later = NextTurn(clock);
  later["messages"][2]["content"][1]["text"] = "<now>10:00:42</now>";
  Expect(Diagnose(clock, later), "BREAKPOINT_ON_VOLATILE", "/messages/2/content/1/text");
  Json dropped = NextTurn(AnthropicBody());
  Expect(Diagnose(clock, dropped), "BREAKPOINT_ON_VOLATILE", "/messages/2/content/1");
}

TEST(TimeToLive, CountsOnlyWhenTheContentIsEqual) {
  Expect(After(
             AnthropicBody(), [](Json&) {}, Json{{"gap_s", 400}}),
         "TTL_EXPIRED", "none");
  Expect(After(
             AnthropicBody(), [](Json&) {}, Json{{"gap_s", 400}, {"ttl_s", 3600}}),
         "OK_APPEND_ONLY", "none");
  Expect(After(
             AnthropicBody(), [](Json&) {}, Json{{"gap_s", 299}}),
         "OK_APPEND_ONLY", "none");
  Expect(After(
             AnthropicBody(), [](Json& b) { b["model"] = "x"; }, Json{{"gap_s", 4000}}),
         "MODEL_CHANGED", "/model");
}

TEST(FurtherBreaks, NamesWhatBreaksOnceTheFirstIsMended) {
  const auto [a, b] = WithSystem("x-anthropic-billing-header: cch=11111;\nBe kind. It is 10:00:01.",
                                 "x-anthropic-billing-header: cch=22222;\nBe kind. It is 10:00:09.");
  const Json result = Diagnose(a, b);
  EXPECT_EQ(Verdict(result), "VOLATILE_ATTRIBUTION");
  EXPECT_EQ(StringAt(result, "advice/setting"), "CLAUDE_CODE_ATTRIBUTION_HEADER=0");
  ASSERT_EQ(result["further_breaks"].size(), 1u);
  EXPECT_EQ(StringAt(result["further_breaks"][0], "verdict"), "VOLATILE_TIMESTAMP");
}

TEST(BadBodies, AreRefusedWithWhatWasExpected) {
  for (const char* body : {"{}", "[]", "3", R"({"model":"m"})"}) {
    const auto result = DiagnoseCase(
        Json{{"kind", "request_pair"}, {"input", {{"a", *ParseJson(body)}, {"b", ChatBody()}}}}, {});
    ASSERT_FALSE(result) << body;
    EXPECT_NE(result.error().message.find("messages"), std::string::npos);
  }
  for (const char* body : {R"({"messages":3})", R"({"messages":[1,null,"x",{"role":7,"content":{"a":[]}}]})",
                           R"({"messages":[],"tools":{"a":1},"system":9})"})
    EXPECT_TRUE(DiagnoseCase(
        Json{{"kind", "request_pair"}, {"input", {{"a", *ParseJson(body)}, {"b", ChatBody()}}}}, {}))
        << body;
}

TEST(Transforms, AnUnknownOneIsRefusedAlsoWhereTheRawBodiesDiffer) {
  PairInput input;
  input.a = *ReadRequestBody(*ParseJson(R"({"model":"m","messages":[{"role":"user","content":"a"}]})"));
  input.b = *ReadRequestBody(*ParseJson(R"({"model":"m","messages":[{"role":"user","content":"b"}]})"));
  input.transform = "dream";
  const auto result = DiagnosePair(input);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
}

TEST(Transforms, NoneAndNothingAreTheSame) {
  PairInput input;
  const std::string head = R"({"model":"m","system":"s","messages":[{"role":"user","content":"a"})";
  input.a = *ReadRequestBody(*ParseJson(head + "]}"));
  input.b = *ReadRequestBody(
      *ParseJson(head + R"(,{"role":"assistant","content":"b"},{"role":"user","content":"c"}]})"));
  const auto nothing = DiagnosePair(input);
  input.transform = "none";
  const auto none = DiagnosePair(input);
  ASSERT_TRUE(nothing && none);
  EXPECT_EQ((*nothing)["verdict"], "BREAKPOINT_MISSING");
  EXPECT_EQ(*nothing, *none);
}

}  // namespace
}  // namespace helix::consistency
