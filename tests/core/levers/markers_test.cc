// Requests that the API refuses for their cache markers, as public reports show them.
#include "core/levers/markers.h"

#include <gtest/gtest.h>

namespace helix::levers {
namespace {

const char* kMark = R"("cache_control":{"type":"ephemeral"})";
const char* kHour = R"("cache_control":{"type":"ephemeral","ttl":"1h"})";

std::string TextBlock(const std::string& text, const std::string& marker = "") {
  return R"({"type":"text","text":")" + text + "\"" + (marker.empty() ? "" : "," + marker) + "}";
}

// Two tools, a system block and a message, each with the marker given ("" for none).
Json Request(const std::string& tools, const std::string& system, const std::string& message,
             const std::string& top = "") {
  auto with = [](const std::string& marker) { return marker.empty() ? "" : "," + marker; };
  return *ParseJson(
      "{" + (top.empty() ? "" : top + ",") + R"("model":"m","tools":[{"name":"a")" + with(tools) +
      R"(},{"name":"b")" + with(tools) + R"(}],"system":[)" + TextBlock("s", system) +
      R"(],"messages":[{"role":"user","content":[)" + TextBlock("hi", message) +
      R"(]},{"role":"assistant","content":"yo"},{"role":"user","content":[)" + TextBlock("more") + "]}]}");
}

Json Messages(const std::string& blocks) {
  return *ParseJson(R"({"messages":[{"role":"user","content":[)" + blocks + "]}]}");
}

TEST(Markers, AFifthIsRefusedAndSaysWhichItWouldReplace) {  // decolua/9router#3795
  const Json four = Request(kMark, kMark, kMark);
  EXPECT_TRUE(CheckMarkers(four).empty());
  const auto plan = PlanMarker(four);
  EXPECT_FALSE(plan.pointer);
  EXPECT_NE(plan.refused.find("4 are the most"), std::string::npos);
  EXPECT_EQ(plan.would_replace, "/messages/0/content/0");
}

TEST(Markers, FourExplicitAndTheAutomaticOneAreFive) {  // anthropics/claude-code#8901
  const auto problems = CheckMarkers(Request(kMark, kMark, kMark, kMark));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].code, "too_many");
  EXPECT_NE(problems[0].reason.find("Found 5."), std::string::npos);
  EXPECT_EQ(problems[0].pointers, (std::vector<std::string>{"/cache_control", "/tools/0", "/tools/1",
                                                            "/system/0", "/messages/0/content/0"}));
}

TEST(Markers, OneMoreGoesToTheLastBlock) {
  const auto plan = PlanMarker(Request("", kMark, ""));
  EXPECT_EQ(plan.pointer, "/messages/2/content/0");
  EXPECT_EQ(plan.refused, "");
}

TEST(Markers, NeverOnAnEmptyTextOrAThinkingBlock) {  // askalf/dario#1066
  for (const std::string& last : {TextBlock("", kMark), TextBlock("  \\n", kMark),
                                  std::string(R"({"type":"thinking","thinking":"x",)") + kMark + "}"}) {
    const Json request = Messages(TextBlock("hi") + "," + last);
    const auto problems = CheckMarkers(request);
    ASSERT_EQ(problems.size(), 1u) << last;
    EXPECT_EQ(problems[0].pointers, std::vector<std::string>{"/messages/0/content/1"});
    EXPECT_EQ(problems[0].repair, "move the marker to /messages/0/content/0");
    EXPECT_EQ(PlanMarker(request).pointer, "/messages/0/content/0");
  }
  EXPECT_EQ(PlanMarker(Messages(TextBlock(""))).refused, "no block can carry a marker");
}

TEST(Markers, AnHourMayNotFollowFiveMinutes) {  // cnighswonger/claude-code-cache-fix#44
  const Json request = Request(kMark, kHour, "");
  const auto problems = CheckMarkers(request);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].code, "ttl_order");
  EXPECT_EQ(problems[0].pointers, (std::vector<std::string>{"/tools/0", "/tools/1"}));
  const auto repair = PlanTtlRepair(request);
  ASSERT_TRUE(repair);
  EXPECT_GT(repair->tokens, 0);
  EXPECT_DOUBLE_EQ(repair->extra_in_input_prices, 0.75 * double(repair->tokens));
  EXPECT_TRUE(CheckMarkers(Request(kHour, kHour, kMark)).empty());
  EXPECT_FALSE(PlanTtlRepair(Request(kHour, kMark, kMark)));
}

TEST(Markers, WhatIsNoRequestHasNone) {
  for (const char* odd : {"[]", "1", R"({"messages":7})", R"({"messages":[1,{"content":[2]}]})",
                          R"({"tools":[{"cache_control":"yes"}]})", R"({"system":"text"})"}) {
    EXPECT_TRUE(CheckMarkers(*ParseJson(odd)).empty()) << odd;
    EXPECT_FALSE(PlanMarker(*ParseJson(R"({"messages":[]})")).pointer);
  }
}

}  // namespace
}  // namespace helix::levers
