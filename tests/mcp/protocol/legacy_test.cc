// Revisions 2024-11-05 to 2025-11-25.
#include <gmock/gmock.h>

#include "core/base/json_fields.h"
#include "tests/mcp/protocol/conversation.h"

namespace helix::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Initialize(const std::string& version) {
  return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{)" +
         (version.empty() ? "" : R"("protocolVersion":")" + version + R"(",)") +
         R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})";
}

TEST(Handshake, EchoesEveryVersionItSpeaks) {
  for (const char* version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    Conversation c;
    EXPECT_EQ(StringAt(c.Ask(Initialize(version)), "result/protocolVersion"), version);
  }
}

TEST(Handshake, AnswersTheNewestLegacyVersionToAnythingElse) {
  for (const char* version : {"2099-01-01", "1999-01-01", "2026-07-28", "2024-10-07", ""}) {
    Conversation c;
    EXPECT_EQ(StringAt(c.Ask(Initialize(version)), "result/protocolVersion"), "2025-11-25") << version;
  }
}

TEST(Handshake, HasNothingButStringsInServerInfo) {
  Conversation c;
  const Json reply = c.Ask(Initialize("2024-11-05"));
  const Json* info = FindPath(reply, "result/serverInfo");
  ASSERT_NE(info, nullptr);
  for (const auto& [key, value] : info->items()) EXPECT_TRUE(value.is_string()) << key;
}

TEST(Handshake, FollowsADiscoverOnTheSameConnection) {
  Conversation c;
  EXPECT_THAT(c.Say(R"({"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{
      "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})"),
              HasSubstr("supportedVersions"));
  EXPECT_THAT(c.Say(Initialize("2025-11-25")), HasSubstr(R"("protocolVersion":"2025-11-25")"));
  EXPECT_THAT(c.Say(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"), HasSubstr(R"("name":"echo")"));
  EXPECT_THAT(c.Say(R"({"jsonrpc":"2.0","id":0,"method":"server/discover"})"), HasSubstr("-32601"));
}

TEST(Ids, ComeBackAsTheyWere) {
  Conversation c;
  for (const char* id : {"1", "0", "-7", "\"rpc-1\"", "\"\"", "\"a\\u0041\"", "9007199254740993",
                         "18446744073709551616", "123456789012345678901234567890"}) {
    EXPECT_EQ(c.Say(std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"method":"ping"})"),
              std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"result":{}})");
  }
}

TEST(Ids, AreThoseThatWereReadWhereTheTextShowsAnother) {
  Conversation c;
  const std::string seven = R"({"jsonrpc":"2.0","id":7,"result":{}})";
  EXPECT_EQ(c.Say(R"({"jsonrpc":"2.0","\u0069d":7,"method":"ping"})"), seven);
  EXPECT_EQ(c.Say(R"({"jsonrpc":"2.0","id":6,"id":7,"method":"ping"})"), seven);
  EXPECT_EQ(c.Say(R"({"jsonrpc":"2.0","id":"6","\u0069d":7,"method":"ping"})"), seven);
}

TEST(Ids, AreReadBehindAByteOrderMark) {
  Conversation c;
  EXPECT_EQ(c.Say("\xEF\xBB\xBF" R"({"jsonrpc":"2.0","id":7,"method":"ping"})"),
            R"({"jsonrpc":"2.0","id":7,"result":{}})");
}

TEST(Ids, OfNoLegalKindAreRefused) {
  Conversation c;
  for (const char* id : {"null", "1.5", "true", "[1]", "{}"}) {
    EXPECT_THAT(c.Say(std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"method":"ping"})"),
                StartsWith(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600)"));
  }
}

TEST(Notifications, NeverGetAnAnswer) {
  Conversation c;
  for (const char* line :
       {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
        R"({"jsonrpc":"2.0","method":"notifications/unknown"})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}})",
        R"({"jsonrpc":"2.0","method":"ping"})", R"({"method":"tools/list"})",
        R"({"jsonrpc":"2.0","method":"no/such/method","params":"x"})"}) {
    EXPECT_EQ(c.Say(line), "") << line;
  }
}

TEST(BadInput, IsAnsweredAndTheNextLineServed) {
  Conversation c;
  EXPECT_THAT(c.Say("{bad"), StartsWith(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700)"));
  EXPECT_THAT(c.Say("\xff\xfe"), HasSubstr("-32700"));
  EXPECT_THAT(c.Say("17"), HasSubstr("-32600"));
  EXPECT_THAT(c.Say(R"({"id":3,"method":"ping"})"),
              StartsWith(R"({"jsonrpc":"2.0","id":3,"error":{"code":-32600)"));
  EXPECT_THAT(c.Say(R"({"jsonrpc":"2.0","id":4,"method":7})"), HasSubstr("-32600"));
  EXPECT_THAT(c.Say(R"({"jsonrpc":"2.0","id":5,"method":"tools/list","params":[]})"), HasSubstr("-32602"));
  EXPECT_THAT(c.Say(R"({"jsonrpc":"2.0","id":6,"method":"no/such"})"), HasSubstr("-32601"));
  EXPECT_EQ(c.Say(R"({"jsonrpc":"2.0","id":7,"method":"ping"})"), R"({"jsonrpc":"2.0","id":7,"result":{}})");
}

TEST(BadInput, ThatIsNotUtf8StillNamesItsCaller) {
  Conversation c;
  EXPECT_THAT(
      c.Say(
          "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/call\",\"params\":{\"name\":\"\xC3\x28\"}}"),
      StartsWith(R"({"jsonrpc":"2.0","id":"x","error":{"code":-32700)"));
}

TEST(BadInput, NestedDeeplyIsRefused) {
  Conversation c;
  EXPECT_THAT(
      c.Say(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":)" + std::string(100000, '[') + "}}"),
      HasSubstr("-32700"));
}

TEST(Batches, AreTakenUnderOneRevisionOnly) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},
      {"jsonrpc":"2.0","id":"b","method":"ping"}])";
  for (const char* version : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    Conversation c;
    c.Say(Initialize(version));
    EXPECT_THAT(c.Say(batch), HasSubstr("-32600")) << version;
  }
  Conversation c;
  c.Say(Initialize("2025-03-26"));
  EXPECT_EQ(c.Say(batch), R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"b","result":{}}])");
  EXPECT_EQ(c.Say(R"([{"jsonrpc":"2.0","method":"notifications/x"}])"), "");
  EXPECT_THAT(c.Say("[]"), HasSubstr("-32600"));
  EXPECT_EQ(
      c.Say(
          R"([ {"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"} ,{"id":"a\u0041]","jsonrpc":"2.0",
          "method":"ping"},17])"),
      R"([{"jsonrpc":"2.0","id":123456789012345678901234567890,"result":{}},{"jsonrpc":"2.0","id":"a\u0041]","result":{}},)"
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message is a JSON object"}}])");
}

TEST(Logging, TakesTheEightLevels) {
  Conversation c;
  EXPECT_THAT(c.Say(R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}})"),
              HasSubstr(R"("result":{})"));
  EXPECT_THAT(c.Say(R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}})"),
              HasSubstr("-32602"));
}

TEST(Resources, ThatAreMissingAreSaidToBe) {
  Conversation c;
  const Json reply =
      c.Ask(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"helix://nothing"}})");
  EXPECT_EQ(IntAt(reply, "error/code"), -32002);
  EXPECT_EQ(StringAt(reply, "error/data/uri"), "helix://nothing");
}

}  // namespace
}  // namespace helix::mcp
