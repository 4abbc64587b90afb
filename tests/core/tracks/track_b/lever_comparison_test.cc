#include "core/tracks/track_b/lever_comparison.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/core/levers/shapes.h"

namespace helix::tracks {
namespace {

// A loop of `turns` tool calls, each answered with the same kind of output.
std::string Conversation(int turns, const std::function<std::string(int)>& output) {
  Json messages = Json::array({{{"role", "user"}, {"content", "Look into the services."}}});
  for (int i = 0; i < turns; ++i) {
    const std::string id = "toolu_" + std::to_string(i);
    messages.push_back(
        {{"role", "assistant"},
         {"content",
          Json::array({{{"type", "tool_use"}, {"id", id}, {"name", "read"}, {"input", {{"n", i}}}}})}});
    messages.push_back(
        {{"role", "user"},
         {"content", Json::array({{{"type", "tool_result"}, {"tool_use_id", id}, {"content", output(i)}}})}});
  }
  return DumpJson({{"model", "claude-sonnet-4-6"}, {"system", levers::Prose(40)}, {"messages", messages}});
}

LeverQuestion Ask(std::string body) {
  return {std::move(body), "anthropic", "claude-sonnet-4-6", "2026-12-01T00:00:00Z"};
}

std::string RowsOf(int i) {
  return levers::Rows(60 + i, true);
}

double Usd(const Json& arms, const char* name) {
  return std::stod(arms[name].get<std::string>());
}

TEST(LeverComparison, FiveArmsInDollarsWithTheControlDearest) {
  auto arms = CompareOnConversation(Ask(Conversation(12, RowsOf)), cost::PriceTable::BuiltIn());
  ASSERT_TRUE(arms) << arms.error().Text();
  EXPECT_LT(Usd(*arms, "cached"), Usd(*arms, "off"));
  EXPECT_LT(Usd(*arms, "compressed_cached"), Usd(*arms, "cached"));
  EXPECT_GT(Usd(*arms, "net_saving"), 0);
  EXPECT_GT(Usd(*arms, "saved_by_provider"), 0);
  EXPECT_EQ((*arms)["turns"], 13);
  EXPECT_LT((*arms)["tokens"]["new_after"].get<int>(), (*arms)["tokens"]["new_before"].get<int>());
  EXPECT_TRUE((*arms)["gates_passed"]);
}

TEST(LeverComparison, CompressingHistoryAgainEveryTurnIsDearerThanPlainCaching) {
  auto mild = [](int i) { return levers::Prose(40) + std::to_string(i); };
  auto arms = CompareOnConversation(Ask(Conversation(20, mild)), cost::PriceTable::BuiltIn());
  ASSERT_TRUE(arms);
  EXPECT_TRUE((*arms)["control_is_dearer"]) << DumpPretty(*arms);
  EXPECT_GT(Usd(*arms, "recompressed_history"), Usd(*arms, "cached"));
}

TEST(LeverComparison, NoRatioIsHeadlinedWhenTheCachedCostRose) {
  auto question = Ask(Conversation(12, RowsOf));
  question.overhead_tokens = 50000;
  auto arms = CompareOnConversation(question, cost::PriceTable::BuiltIn());
  ASSERT_TRUE(arms);
  const std::string headline = (*arms)["headline"];
  EXPECT_TRUE(headline.starts_with("No saving")) << headline;
  EXPECT_EQ(headline.find('%'), std::string::npos);
  EXPECT_LT(Usd(*arms, "net_saving"), 0);
  EXPECT_LT((*arms)["tokens"]["new_after"].get<int>(), (*arms)["tokens"]["new_before"].get<int>());
}

TEST(LeverComparison, AnUnknownPriceOrNoRequestIsAnError) {
  auto question = Ask(Conversation(2, RowsOf));
  question.model = "claude-opus-9";
  EXPECT_NE(
      CompareOnConversation(question, cost::PriceTable::BuiltIn()).error().message.find("price: unknown"),
      std::string::npos);
  for (const char* bad : {"", "[]", "{}", R"({"messages":[]})", R"({"messages":{}})"})
    EXPECT_FALSE(CompareOnConversation(Ask(bad), cost::PriceTable::BuiltIn())) << bad;
}

TEST(LeverComparison, OddMessagesAreNoCrash) {
  for (const char* odd :
       {R"({"messages":[1,"x",null,{}]})", R"({"messages":[{"role":"user","content":null}],"system":7})",
        R"({"messages":[{"role":"tool","content":[1,{"type":"text"}]}],"tools":{"a":1}})"})
    EXPECT_NO_FATAL_FAILURE(CompareOnConversation(Ask(odd), cost::PriceTable::BuiltIn())) << odd;
}

}  // namespace
}  // namespace helix::tracks
