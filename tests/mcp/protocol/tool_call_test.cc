// tools/call: arguments, results, progress, cancellation.
#include <gmock/gmock.h>

#include "core/base/json_fields.h"
#include "mcp/protocol/schema_check.h"
#include "tests/mcp/protocol/conversation.h"

namespace helix::mcp {
namespace {

using ::testing::HasSubstr;

std::string CallLine(const std::string& id, const std::string& name, const std::string& rest = "") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + name + "\"" +
         rest + "}}";
}

TEST(ToolCall, CarriesTheSameJsonTwice) {
  Conversation c;
  const Json reply = c.Ask(CallLine("1", "echo", R"(,"arguments":{"text":"é漢😀\u0007\""})"));
  const Json& block = (*FindPath(reply, "result/content"))[0];
  EXPECT_EQ(*ParseJson(*StringAt(block, "text")), *FindPath(reply, "result/structuredContent"));
  EXPECT_EQ(StringAt(reply, "result/structuredContent/text"), "é漢😀\a\"");
  EXPECT_EQ(FindPath(reply, "result/isError"), nullptr);
}

TEST(ToolCall, TakesMissingArgumentsForNone) {
  Conversation c;
  EXPECT_EQ(StringAt(c.Ask(CallLine("1", "echo")), "result/structuredContent/text"), "none");
  EXPECT_EQ(StringAt(c.Ask(CallLine("1", "echo", R"(,"arguments":{"wait_for_previous":true})")),
                     "result/structuredContent/text"),
            "none");
}

TEST(ToolCall, TurnsBadArgumentsIntoAResultThatSaysWhatToSend) {
  Conversation c;
  for (const char* arguments : {R"({"text":5})", R"({"txt":"x"})", R"([1])", R"("x")"}) {
    const Json reply = c.Ask(CallLine("1", "echo", std::string(R"(,"arguments":)") + arguments));
    EXPECT_EQ(BoolAt(reply, "result/isError"), true) << arguments;
    EXPECT_EQ(FindPath(reply, "result/structuredContent"), nullptr);
  }
  EXPECT_THAT(c.Say(CallLine("1", "echo", R"(,"arguments":{"txt":"x"})")), HasSubstr("did you mean `text`?"));
}

TEST(ToolCall, OfAnUnknownToolIsAProtocolError) {
  Conversation c;
  EXPECT_EQ(IntAt(c.Ask(CallLine("1", "zzz")), "error/code"), -32602);
  EXPECT_EQ(
      IntAt(c.Ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}})"), "error/code"),
      -32602);
}

TEST(ToolCall, DoesNotPassOnAResultThatBreaksItsSchema) {
  Conversation c;
  const Json reply = c.Ask(CallLine("1", "broken"));
  EXPECT_EQ(BoolAt(reply, "result/isError"), true);
  EXPECT_THAT(DumpJson(reply), HasSubstr("`text` is missing"));
}

TEST(ToolCall, AnExceptionIsAnAnswerToTheClientAndALineInTheServersLog) {
  testing::internal::CaptureStderr();
  Json reply;
  {
    Conversation c;
    reply = c.Ask(CallLine("1", "bug"));
  }
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(IntAt(reply, "error/code"), -32603) << DumpJson(reply);
  EXPECT_THAT(DumpJson(reply), testing::Not(HasSubstr("shelf")));
  EXPECT_THAT(log, HasSubstr("helix-perf-cache: an exception left bug: the shelf is empty\n"));
}

TEST(Progress, RisesUnderTheCallersTokenAndEndsBeforeTheAnswer) {
  for (const char* token : {"0", "\"\"", "\"a\"", "9007199254740991"}) {
    Conversation c;
    auto outbox = c.Start(CallLine("1", "step", std::string(R"(,"_meta":{"progressToken":)") + token + "}"));
    ASSERT_TRUE(outbox->WaitFinished());
    const auto lines = outbox->Lines();
    ASSERT_EQ(lines.size(), 4U);
    double last = -1;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      const Json message = *ParseJson(lines[i]);
      EXPECT_EQ(StringAt(message, "method"), "notifications/progress");
      EXPECT_EQ(DumpJson(*FindPath(message, "params/progressToken")), token);
      EXPECT_GT(*NumberAt(message, "params/progress"), last);
      last = *NumberAt(message, "params/progress");
    }
    EXPECT_THAT(lines.back(), HasSubstr(R"("id":1,"result")"));
  }
}

TEST(Progress, IsNotSentWithoutAToken) {
  Conversation c;
  EXPECT_THAT(c.Say(CallLine("1", "step")), ::testing::Not(HasSubstr("notifications/progress")));
}

TEST(Cancellation, StopsTheCallAndSilencesIt) {
  Conversation c;
  auto waiting = c.Start(CallLine("\"w\"", "wait"));
  EXPECT_EQ(c.Say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})"), R"({"jsonrpc":"2.0","id":2,"result":{}})");
  EXPECT_EQ(
      c.Say(
          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w","reason":"x"}})"),
      "");
  ASSERT_TRUE(waiting->WaitFinished());
  EXPECT_TRUE(waiting->Lines().empty());
  EXPECT_THAT(c.Say(CallLine("3", "echo")), HasSubstr(R"("id":3)"));
}

TEST(Cancellation, OfUnknownAndFinishedCallsIsIgnored) {
  Conversation c;
  c.Say(CallLine("5", "echo"));
  for (const char* id : {"5", "5", "77", "\"5\""}) {
    EXPECT_EQ(
        c.Say(std::string(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)") +
              id + "}}"),
        "");
  }
  EXPECT_THAT(c.Say(CallLine("5", "echo")), HasSubstr(R"("id":5)"));
}

TEST(Cancellation, BetweenClientsThatShareAnIdHitsNobody) {
  InFlight shared(true);
  auto first = shared.Begin("5");
  auto second = shared.Begin("5");
  shared.Cancel("5");
  EXPECT_FALSE(first.stop_requested() || second.stop_requested()) << "two calls have this id";
  shared.End("5", first);
  shared.Cancel("5");
  EXPECT_FALSE(second.stop_requested()) << "one with this id has just ended";
  auto other = shared.Begin("6");
  shared.Cancel("6");
  EXPECT_TRUE(other.stop_requested());
}

TEST(Schemas, OfListedToolsAreClosedObjects) {
  Conversation c;
  const Json reply = c.Ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  for (const Json& tool : *FindPath(reply, "result/tools")) {
    EXPECT_THAT(SchemaProblems(tool["inputSchema"]), ::testing::IsEmpty());
    EXPECT_THAT(SchemaProblems(tool["outputSchema"]), ::testing::IsEmpty());
    EXPECT_EQ(BoolAt(tool, "inputSchema/additionalProperties"), false);
    EXPECT_EQ(BoolAt(tool, "annotations/readOnlyHint"), true);
  }
}

}  // namespace
}  // namespace helix::mcp
