// Lists in pages, resources, prompts and completions, in both eras.
#include <gmock/gmock.h>

#include <set>

#include "core/base/json_fields.h"
#include "tests/mcp/protocol/conversation.h"

namespace helix::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int kMany = 1500;

// Many resources, each with a long title; those of file 7 fail to be read, as a disk can.
class ManyResources : public ResourceSource {
 public:
  std::vector<Json> List() override {
    std::vector<Json> list;
    for (int i = 0; i < kMany; ++i) {
      list.push_back(Json{{"uri", Uri(i)}, {"name", std::to_string(i)}, {"title", std::string(100, 't')}});
    }
    return list;
  }
  std::vector<Json> Templates() override {
    return {Json{{"uriTemplate", "test://file/{number}"}, {"name", "file"}}};
  }
  Result<Json> Read(const std::string& uri) override {
    if (uri == Uri(7)) return Fail(ErrorCode::kIo, "the disk failed");
    if (uri != Uri(1)) return Fail(ErrorCode::kNotFound, "no such file");
    return Json::array({Json{{"uri", uri}, {"mimeType", "text/plain"}, {"text", "one"}}});
  }
  std::vector<std::string> Complete(const std::string& uri_template, const std::string& argument,
                                    const std::string& prefix) override {
    std::vector<std::string> values;
    for (int i = 0; uri_template == "test://file/{number}" && argument == "number" && i < kMany; ++i) {
      if (std::to_string(i).rfind(prefix, 0) == 0) values.push_back(std::to_string(i));
    }
    return values;
  }

 private:
  static std::string Uri(int i) { return "test://file/" + std::to_string(i); }
};

Catalog FullCatalog() {
  Catalog catalog = TestCatalog();
  catalog.resources = std::make_shared<ManyResources>();
  ServerPrompt greet;
  greet.listing = *ParseJson(R"({"name":"greet","description":"Greets","arguments":[
      {"name":"who","description":"Whom to greet","required":true},
      {"name":"how","description":"How","required":false}]})");
  greet.get = [](Call& call) -> RpcResult<Json> {
    const Json text{{"type", "text"}, {"text", "Hello " + *StringAt(call.arguments, "who")}};
    return Json{{"messages", Json::array({Json{{"role", "user"}, {"content", text}}})}};
  };
  greet.complete = [](const std::string& argument, const std::string&) {
    return argument == "how" ? std::vector<std::string>{"loudly", "softly"} : std::vector<std::string>{};
  };
  catalog.prompts.push_back(greet);
  return catalog;
}

std::string Line(const std::string& method, const std::string& params = "{}") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}";
}

TEST(Pages, TogetherHoldEveryResourceOnce) {
  Conversation c(FullCatalog());
  std::set<std::string> seen;
  std::string params = "{}";
  int pages = 0;
  for (bool more = true; more; ++pages) {
    const auto text = c.Say(Line("resources/list", params));
    EXPECT_LT(text.size(), 60U * 1024) << "a page is one line, and one client reads 64 KiB a line";
    const Json reply = *ParseJson(text);
    for (const Json& item : *FindPath(reply, "result/resources")) {
      EXPECT_TRUE(seen.insert(*StringAt(item, "uri")).second) << item;
    }
    const auto cursor = StringAt(reply, "result/nextCursor");
    more = cursor.has_value();
    if (more) params = DumpJson(Json{{"cursor", *cursor}});
  }
  EXPECT_THAT(seen, SizeIs(kMany));
  EXPECT_GT(pages, 1);
}

TEST(Pages, StartAtTheBeginningForAnEmptyCursorAndRefuseOneThatWasNotGiven) {
  Conversation c(FullCatalog());
  EXPECT_EQ(c.Say(Line("resources/list", R"({"cursor":""})")), c.Say(Line("resources/list")));
  for (const char* method : {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
    for (const char* cursor :
         {"\"x\"", "\"p0\"", "\"p-1\"", "\"p99999999999999999999\"", "\"p1500\"", "5", "{}"}) {
      EXPECT_EQ(IntAt(c.Ask(Line(method, std::string(R"({"cursor":)") + cursor + "}")), "error/code"), -32602)
          << method << " " << cursor;
    }
  }
}

TEST(Resources, AreReadByTheirUri) {
  Conversation c(FullCatalog());
  const Json reply = c.Ask(Line("resources/read", R"({"uri":"test://file/1"})"));
  EXPECT_EQ(DumpJson(*FindPath(reply, "result")),
            R"({"contents":[{"uri":"test://file/1","mimeType":"text/plain","text":"one"}]})");
  EXPECT_EQ(IntAt(c.Ask(Line("resources/read")), "error/code"), -32602) << "without a uri";
}

TEST(Resources, ThatCannotBeReadAreNotCalledMissing) {
  Conversation c(FullCatalog());
  const Json reply = c.Ask(Line("resources/read", R"({"uri":"test://file/7"})"));
  EXPECT_EQ(IntAt(reply, "error/code"), -32603);
  EXPECT_THAT(*StringAt(reply, "error/message"), HasSubstr("the disk failed"));
}

TEST(Resources, CanBeSubscribedToAndNeverChange) {
  Conversation c(FullCatalog());
  for (const char* method : {"resources/subscribe", "resources/unsubscribe"}) {
    EXPECT_EQ(c.Say(Line(method, R"({"uri":"test://file/1"})")), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  }
}

TEST(Prompts, AreFilledInAndSayWhatIsMissing) {
  Conversation c(FullCatalog());
  const Json listed = c.Ask(Line("prompts/list"));
  EXPECT_EQ(StringAt((*FindPath(listed, "result/prompts"))[0], "name"), "greet");
  const Json reply = c.Ask(Line("prompts/get", R"({"name":"greet","arguments":{"who":"you"}})"));
  EXPECT_EQ(StringAt((*FindPath(reply, "result/messages"))[0], "content/text"), "Hello you");
  for (const char* params :
       {R"({"name":"greet"})", R"({"name":"greet","arguments":{"how":"softly"}})",
        R"({"name":"greet","arguments":{"who":5}})", R"({"name":"greet","arguments":[]})"}) {
    const Json refused = c.Ask(Line("prompts/get", params));
    EXPECT_EQ(IntAt(refused, "error/code"), -32602) << params;
    EXPECT_THAT(StringAt(refused, "error/message").value_or(""), HasSubstr("who")) << params;
  }
  EXPECT_EQ(IntAt(c.Ask(Line("prompts/get", R"({"name":"nobody"})")), "error/code"), -32602);
}

TEST(Completion, OffersAtMostAHundredValuesAndSaysHowManyThereAre) {
  Conversation c(FullCatalog());
  const Json reply =
      c.Ask(Line("completion/complete", R"({"ref":{"type":"ref/resource","uri":"test://file/{number}"},
      "argument":{"name":"number","value":"1"}})"));
  EXPECT_EQ(FindPath(reply, "result/completion/values")->size(), 100U);
  EXPECT_EQ(IntAt(reply, "result/completion/total"), 611) << "1, 10 to 19, 100 to 199, 1000 to 1499";
  EXPECT_EQ(BoolAt(reply, "result/completion/hasMore"), true);
}

TEST(Completion, OfAPromptsArgumentTakesAContextAlong) {
  Conversation c(FullCatalog());
  const Json reply = c.Ask(Line("completion/complete", R"({"ref":{"type":"ref/prompt","name":"greet"},
      "argument":{"name":"how","value":""},"context":{"arguments":{"who":"you"}}})"));
  EXPECT_EQ(DumpJson(*FindPath(reply, "result/completion/values")), R"(["loudly","softly"])");
  EXPECT_EQ(BoolAt(reply, "result/completion/hasMore"), false);
}

TEST(Completion, RefusesWhatItCannotComplete) {
  Conversation c(FullCatalog());
  for (const char* params :
       {"{}", R"({"ref":{"type":"ref/prompt","name":"greet"}})",
        R"({"ref":{"type":"ref/prompt","name":"nobody"},"argument":{"name":"a","value":""}})",
        R"({"ref":{"type":"ref/tool","name":"echo"},"argument":{"name":"a","value":""}})",
        R"({"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"a","value":7}})"}) {
    EXPECT_EQ(IntAt(c.Ask(Line("completion/complete", params)), "error/code"), -32602) << params;
  }
}

TEST(Capabilities, NameWhatIsServed) {
  Conversation full(FullCatalog());
  const Json reply = full.Ask(Line("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{}})"));
  const Json* capabilities = FindPath(reply, "result/capabilities");
  ASSERT_NE(capabilities, nullptr);
  for (const char* name : {"tools", "resources", "prompts", "completions", "logging"}) {
    EXPECT_TRUE(capabilities->contains(name)) << name;
  }
}

TEST(BrokenText, InAResultIsRepairedNotSent) {
  Catalog catalog = TestCatalog();
  catalog.tools.push_back(
      AdaptTool(SmallTool("broken_text", "{}",
                          [](const Json&, const Settings&, const RunContext&) -> Result<Json> {
                            return Json{{"text",
                                         "a\xC3\x28"
                                         "b\xFF"}};
                          }),
                Settings{}));
  Conversation c(catalog);
  const auto reply = c.Ask(Line("tools/call", R"({"name":"broken_text"})"));
  EXPECT_EQ(StringAt(reply, "result/structuredContent/text"), "a\uFFFD(b\uFFFD");
  EXPECT_EQ(ParseJson(*StringAt((*FindPath(reply, "result/content"))[0], "text"))->at("text"),
            "a\uFFFD(b\uFFFD");
}

TEST(Listening, IsGrantedWhatTheCapabilitiesOfferAndNoMore) {
  Conversation c(FullCatalog());
  auto stream = c.Start(Line("subscriptions/listen", R"({"notifications":{"resourcesListChanged":true,"toolsListChanged":true},
      "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}})"));
  ASSERT_EQ(stream->Lines().size(), 1U);
  const Json first = *ParseJson(stream->Lines()[0]);
  EXPECT_EQ(DumpJson(*FindPath(first, "params/notifications")), R"({"resourcesListChanged":true})");
}

}  // namespace
}  // namespace helix::mcp
