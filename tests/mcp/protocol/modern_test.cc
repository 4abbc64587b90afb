// Revision 2026-07-28.
#include <gmock/gmock.h>

#include "core/base/json_fields.h"
#include "tests/mcp/protocol/conversation.h"

namespace helix::mcp {
namespace {

using ::testing::HasSubstr;

std::string Modern(const std::string& method, const std::string& params = "", const std::string& meta = "",
                   const std::string& version = "2026-07-28") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
         (params.empty() ? "" : ",") + R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + version +
         R"(","io.modelcontextprotocol/clientCapabilities":{})" + meta + "}}}";
}

TEST(Modern, ResultsSayTheirTypeAndTheirServer) {
  Conversation c;
  for (const char* method :
       {"server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
    const Json reply = c.Ask(Modern(method));
    EXPECT_EQ(StringAt(reply, "result/resultType"), "complete") << method;
    EXPECT_TRUE(IntAt(reply, "result/ttlMs")) << method;
    EXPECT_TRUE(StringAt(reply, "result/cacheScope")) << method;
    const Json& meta = reply["result"]["_meta"];
    EXPECT_EQ(StringAt(meta["io.modelcontextprotocol/serverInfo"], "name"), "helix-perf-cache") << method;
  }
}

TEST(Modern, ToolCallsNeedNoHandshake) {
  Conversation c;
  const Json reply = c.Ask(Modern("tools/call", R"("name":"echo","arguments":{"text":"x"})"));
  EXPECT_EQ(StringAt(reply, "result/resultType"), "complete");
  EXPECT_EQ(StringAt(reply, "result/structuredContent/text"), "x");
  EXPECT_EQ(FindPath(reply, "result/ttlMs"), nullptr);
}

TEST(Modern, MethodsOfTheHandshakeAreGone) {
  Conversation c;
  for (const char* method :
       {"initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/get", "no/such"}) {
    EXPECT_EQ(IntAt(c.Ask(Modern(method)), "error/code"), -32601) << method;
    EXPECT_EQ(c.status, 404) << method;
  }
}

TEST(Modern, AnUnknownVersionIsAnsweredWithThoseThereAre) {
  Conversation c;
  const Json reply = c.Ask(Modern("tools/list", "", "", "1900-01-01"));
  EXPECT_EQ(IntAt(reply, "error/code"), -32022);
  EXPECT_EQ(StringAt(reply, "error/data/requested"), "1900-01-01");
  EXPECT_THAT(DumpJson(*FindPath(reply, "error/data/supported")), HasSubstr("2026-07-28"));
  EXPECT_EQ(c.status, 400);
}

TEST(Modern, DemandsClientCapabilitiesAndKnownLogLevels) {
  Conversation c;
  EXPECT_EQ(IntAt(c.Ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
      "io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})"),
                  "error/code"),
            -32602);
  EXPECT_EQ(c.status, 400);
  EXPECT_EQ(
      IntAt(c.Ask(Modern("tools/list", "", R"(,"io.modelcontextprotocol/logLevel":"loud")")), "error/code"),
      -32602);
}

TEST(Modern, MissingResourcesAreBadParameters) {
  Conversation c;
  const Json reply = c.Ask(Modern("resources/read", R"("uri":"helix://nothing")"));
  EXPECT_EQ(IntAt(reply, "error/code"), -32602);
  EXPECT_EQ(StringAt(reply, "error/data/uri"), "helix://nothing");
}

TEST(Modern, AClientThatWentAwayHasCancelled) {
  Conversation c;
  auto waiting = c.Start(Modern("tools/call", R"("name":"wait")"));
  waiting->gone.request_stop();
  ASSERT_TRUE(waiting->WaitFinished());
  EXPECT_TRUE(waiting->Lines().empty());
}

TEST(Modern, ListeningIsAcknowledgedToldOfChangesAndEnded) {
  Catalog catalog = TestCatalog();
  catalog.list_changes = true;
  Conversation c(catalog);
  auto stream = c.Start(Modern("subscriptions/listen",
                               R"("notifications":{"toolsListChanged":true,"promptsListChanged":false})"));
  ASSERT_EQ(stream->Lines().size(), 1U);
  const Json first = *ParseJson(stream->Lines()[0]);
  EXPECT_EQ(StringAt(first, "method"), "notifications/subscriptions/acknowledged");
  EXPECT_EQ(DumpJson(*FindPath(first, "params/notifications")), R"({"toolsListChanged":true})");
  EXPECT_EQ(first["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
  c.dispatcher.ListChanged("prompts");
  c.dispatcher.ListChanged("tools");
  ASSERT_EQ(stream->Lines().size(), 2U);
  EXPECT_THAT(stream->Lines()[1], HasSubstr("notifications/tools/list_changed"));
  c.dispatcher.Stop(*c.session);
  ASSERT_TRUE(stream->WaitFinished());
  EXPECT_THAT(stream->Lines().back(), HasSubstr(R"("resultType":"complete")"));
}

class OneTask : public TaskSource {
 public:
  Result<Json> Get(const std::string& id) override { return Json{{"taskId", id}, {"status", "completed"}}; }
  Status Update(const std::string&, const Json&) override { return {}; }
  Status Cancel(const std::string&) override { return {}; }
};

TEST(Modern, ListeningForATaskTellsOfItsChangeAndOfNoOther) {
  Catalog catalog = TestCatalog();
  catalog.tasks = std::make_shared<OneTask>();
  Conversation c(catalog);
  auto stream = c.Start(Modern("subscriptions/listen", R"("notifications":{"taskIds":["t1"]})"));
  c.dispatcher.TaskChanged("t2");
  c.dispatcher.TaskChanged("t1");
  ASSERT_EQ(stream->Lines().size(), 2U);
  const Json told = *ParseJson(stream->Lines()[1]);
  EXPECT_EQ(StringAt(told, "method"), "notifications/tasks");
  EXPECT_EQ(StringAt(told, "params/taskId"), "t1");
  EXPECT_EQ(StringAt(told, "params/status"), "completed");
}

TEST(Modern, StreamsBeyondReasonAreRefused) {
  Conversation c;
  const auto listen = Modern("subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
  std::vector<std::shared_ptr<RecordingOutbox>> streams;
  for (int i = 0; i < 2048; ++i) streams.push_back(c.Start(listen));
  EXPECT_EQ(IntAt(c.Ask(listen), "error/code"), -32603);
  streams[7]->gone.request_stop();
  EXPECT_THAT(c.Start(listen)->Lines()[0], HasSubstr("acknowledged")) << "one has ended";
}

Headers Mirrored(const std::string& method, const std::string& name = "") {
  Headers headers{{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", method}};
  if (!name.empty()) headers.emplace_back("mcp-name", name);
  return headers;
}

TEST(ModernHeaders, MustMirrorTheBody) {
  Conversation c;
  const auto call = Modern("tools/call", R"("name":"echo")");
  const auto good = Mirrored("tools/call", "echo");
  EXPECT_EQ(FindPath(c.Ask(call, &good), "error"), nullptr);
  const auto encoded = Mirrored("tools/call", "=?base64?ZWNobw==?=");
  EXPECT_EQ(FindPath(c.Ask(call, &encoded), "error"), nullptr);
  const Headers bad[] = {{},
                         {{"mcp-protocol-version", "2026-07-28"}},
                         {{"mcp-method", "tools/call"}, {"mcp-name", "echo"}},
                         Mirrored("tools/list", "echo"),
                         Mirrored("Tools/Call", "echo"),
                         Mirrored("tools/call"),
                         Mirrored("tools/call", "ech"),
                         Mirrored("tools/call", "=?base64?!!!?=")};
  for (const auto& headers : bad) {
    const Json reply = c.Ask(call, &headers);
    EXPECT_EQ(IntAt(reply, "error/code"), -32020);
    EXPECT_EQ(IntAt(reply, "id"), 1);
    EXPECT_EQ(c.status, 400);
  }
}

TEST(ModernHeaders, WithoutAMatchingBodyAreRefused) {
  Conversation c;
  const auto headers = Mirrored("tools/list");
  EXPECT_EQ(IntAt(c.Ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", &headers), "error/code"),
            -32602);
  const Headers unknown{{"mcp-protocol-version", "1900-01-01"}, {"mcp-method", "tools/list"}};
  EXPECT_EQ(IntAt(c.Ask(Modern("tools/list", "", "", "1900-01-01"), &unknown), "error/code"), -32022);
  EXPECT_EQ(IntAt(c.Ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", &unknown), "error/code"),
            -32022);
}

TEST(ModernHeaders, OfAMethodThatIsGoneNeedNoName) {
  Conversation c;
  const auto headers = Mirrored("tasks/result");
  EXPECT_EQ(IntAt(c.Ask(Modern("tasks/result", R"("taskId":"t")"), &headers), "error/code"), -32601);
  EXPECT_EQ(c.status, 404);
}

TEST(LegacyHeaders, AreNotDemanded) {
  Conversation c;
  const Headers none;
  EXPECT_EQ(FindPath(c.Ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", &none), "error"), nullptr);
}

}  // namespace
}  // namespace helix::mcp
