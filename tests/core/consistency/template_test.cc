// Bodies on their way into a llama-server's template; the server here is a fake.
#include <gtest/gtest.h>

#include "core/base/json_fields.h"
#include "core/consistency/template_server.h"
#include "core/consistency/template_stage.h"
#include "tests/fakes/fake_http_server.h"

namespace helix::consistency {
namespace {

using fakes::FakeConnection;
using fakes::FakeHttpServer;
using fakes::ReceivedRequest;

RequestBody Read(const std::string& text) {
  return *ReadRequestBody(*ParseJson(text));
}

std::string SystemOf(const std::string& system) {
  std::vector<std::string> notes;
  Json body{{"model", "m"}, {"system", system}, {"messages", Json::array()}};
  const Json made = ToTemplateBody(*ReadRequestBody(body), notes);
  return StringAt(made["messages"][0], "content").value_or("");
}

TEST(TemplateBody, MasksTheChecksumOfTheAttributionLineAsTheServerDoes) {
  const std::string line = "x-anthropic-billing-header: cc_version=2.1.37.fbe; cch=";
  EXPECT_EQ(SystemOf(line + "a1b2c; rest"), line + "fffff; rest");
  EXPECT_EQ(SystemOf(line + "a1b2; rest"), line + "a1b2; rest") << "four characters are not masked";
  EXPECT_EQ(SystemOf(line + "a1b2cd; rest"), line + "a1b2cd; rest") << "nor are six";
  EXPECT_EQ(SystemOf(line + "a1b2c rest"), line + "a1b2c rest") << "nor without the semicolon";
  EXPECT_EQ(SystemOf(" " + line + "a1b2c; rest"), " " + line + "a1b2c; rest") << "nor behind a blank";
}

TEST(TemplateServer, SendsARawPromptAsItIsAndTakesIdsAsIds) {
  FakeHttpServer server;
  server.On("POST", "/tokenize", [](const ReceivedRequest& request, FakeConnection& connection) {
    const auto text = StringAt(*ParseJson(request.body), "content").value_or("");
    connection.Reply(200, DumpJson(Json{{"tokens", Json::array({text.size()})}}));
  });
  TemplateServer asked(server.base_url(), "", RunContext());
  std::vector<std::string> notes;
  EXPECT_EQ(*asked.PromptTokens(Read(R"({"prompt":"12345"})"), notes), std::vector<std::int32_t>{5});
  EXPECT_EQ(*asked.PromptTokens(Read(R"({"prompt":[7,8]})"), notes), (std::vector<std::int32_t>{7, 8}));
  EXPECT_FALSE(asked.PromptTokens(Read(R"({"prompt":["a",8]})"), notes));
  EXPECT_FALSE(asked.PromptTokens(Read(R"({"messages":[]})"), notes)) << "there is no /apply-template here";
}

TEST(TemplateServer, ALyingServerIsNamedAndNeverTrusted) {
  for (const char* lie :
       {"{}", "[]", "{\"prompt\":7}", "not json", "{\"tokens\":[1,\"x\"]}", "{\"tokens\":{}}"}) {
    FakeHttpServer server(
        [lie](const ReceivedRequest&, FakeConnection& connection) { connection.Reply(200, lie); });
    const auto body = Read(R"({"messages":[{"role":"user","content":"hi"}]})");
    EXPECT_FALSE(CompareThroughTemplate(body, body, server.base_url(), "", {})) << lie;
  }
}

}  // namespace
}  // namespace helix::consistency
