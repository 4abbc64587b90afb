// bench_track_b and compress_prompt as an agent calls them.
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "mcp/tools/bench_track_b_tool.h"
#include "mcp/tools/compress_prompt_tool.h"
#include "tests/core/levers/shapes.h"
#include "tests/fakes/fake_http_server.h"
#include "tests/support/paths.h"

namespace helix::mcp {
namespace {

Result<Json> Compress(const Json& arguments, const Settings& settings = {}) {
  return CompressPromptTool().handler(arguments, settings, RunContext{});
}

Settings Agent() {
  Settings settings;
  settings.from_agent = true;
  settings.report_dir = testing_support::ScratchDir();
  return settings;
}

// What the test changes in the environment goes back afterwards.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(BenchTrackBTool, AnAgentCanNeitherPayNorNameFilesNorPrograms) {
  const Tool tool = BenchTrackBTool();
  const Json seen = tool.input_schema["properties"];
  for (const char* hidden : {"paid", "max_usd", "prices", "out", "server", "model_file"}) {
    EXPECT_FALSE(seen.contains(hidden)) << hidden;
    EXPECT_TRUE(tool.cli_properties.contains(hidden)) << hidden;
  }
}

TEST(BenchTrackBTool, WithAKeyAndNoSwitchItIsAnEstimate) {
  const Variable key("ANTHROPIC_API_KEY", "sk-ant-planted-0123456789");
  auto out = BenchTrackBTool().handler({{"provider", "anthropic"}, {"paid", true}, {"max_usd", 100}}, Agent(),
                                       RunContext{});
  ASSERT_TRUE(out) << out.error().Text();
  EXPECT_EQ((*out)["verdict"], "SKIP");
  EXPECT_EQ((*out)["skip_code"], "operator_attended");
  EXPECT_NE((*out)["skip_reason"].get<std::string>().find("at most $"), std::string::npos);
  EXPECT_EQ(DumpJson(*out).find("planted"), std::string::npos);
  EXPECT_EQ(out->size(), 4u);
}

TEST(BenchTrackBTool, ALimitThatIsNoAmountIsAnErrorThatNamesIt) {
  const Variable key("ANTHROPIC_API_KEY", "sk-ant-planted-0123456789");
  const Variable allowed("HELIX_ALLOW_PAID", "1");
  const Variable nowhere("ANTHROPIC_BASE_URL", "http://127.0.0.1:9");
  for (const char* limit : {"much", "1e999", "nan", "-1", "5 dollars"}) {
    const Variable usd("HELIX_MAX_USD", limit);
    auto out = BenchTrackBTool().handler({{"provider", "anthropic"}}, Agent(), RunContext{});
    ASSERT_FALSE(out) << limit;
    EXPECT_EQ(out.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(out.error().message.find(std::string("HELIX_MAX_USD is \"") + limit), std::string::npos);
  }
}

TEST(BenchTrackBTool, TooFewPairsAndUnknownProvidersAreErrorsThatSayWhatIsExpected) {
  auto few = BenchTrackBTool().handler({{"pairs", 3}}, Agent(), RunContext{});
  ASSERT_FALSE(few);
  EXPECT_NE(few.error().message.find("10 or more"), std::string::npos);
  auto unknown = BenchTrackBTool().handler({{"provider", "gptland"}}, Agent(), RunContext{});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().Text().find("anthropic"), std::string::npos);
}

TEST(CompressPromptTool, ListsWhatItDidAndSaysThatItsCountIsAnEstimate) {
  auto out = Compress({{"text", levers::Rows(120, true)}, {"needles", Json::array({"service-3"})}});
  ASSERT_TRUE(out);
  EXPECT_LT((*out)["tokens_after"].get<int>(), (*out)["tokens_before"].get<int>());
  EXPECT_TRUE((*out)["counter"].get<std::string>().starts_with("estimate"));
  EXPECT_FALSE((*out)["block"]["applied"].empty());
  EXPECT_EQ((*out)["gates"]["planted_facts_kept"], true);
}

TEST(CompressPromptTool, ABodyKeepsItsStructureAndItsMarkersAreChecked) {
  const std::string result = DumpJson(Json(levers::Rows(60, true)));
  const std::string body =
      R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"r","input":{}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":)" +
      result +
      R"(}]},{"role":"user","content":[{"type":"text","text":"","cache_control":{"type":"ephemeral"}}]}]})";
  auto out = Compress({{"body", body}});
  ASSERT_TRUE(out) << out.error().Text();
  EXPECT_EQ((*out)["structure"]["tool_calls_equal"], true);
  EXPECT_EQ((*out)["markers"]["problems"][0]["code"], "on_empty_text");
}

TEST(CompressPromptTool, ComparesFiveWaysToSendAConversation) {
  const std::string rows = DumpJson(Json(levers::Rows(90, true)));
  const std::string body =
      R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"r","input":{}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":)" +
      rows + R"(}]},{"role":"assistant","content":"done"},{"role":"user","content":"and?"}]})";
  auto out =
      Compress({{"body", body}, {"price_provider", "anthropic"}, {"price_model", "claude-sonnet-4-6"}});
  ASSERT_TRUE(out) << out.error().Text();
  for (const char* arm : {"off", "cached", "compressed", "compressed_cached", "recompressed_history",
                          "net_saving", "saved_by_provider"})
    EXPECT_TRUE((*out)["arms"][arm].is_string()) << arm;
  EXPECT_EQ((*out)["headline"], (*out)["arms"]["headline"]);
  EXPECT_FALSE(Compress({{"body", body}, {"price_provider", "anthropic"}, {"price_model", "claude-opus-9"}}));
}

TEST(CompressPromptTool, NeedsExactlyOneSourceAndNoLossyModeForABody) {
  EXPECT_FALSE(Compress(Json::object()));
  EXPECT_FALSE(Compress({{"text", "a"}, {"body", "{}"}}));
  EXPECT_FALSE(Compress({{"body", R"({"messages":[]})"}, {"mode", "prune"}}));
  EXPECT_FALSE(CompressPromptTool().input_schema["properties"].contains("file"));
}

TEST(CompressPromptTool, ScoresTextWithAServerThatGivesPromptLogprobs) {
  const std::string text = "Everyone knows that the crane is not safe here in winter";
  fakes::FakeHttpServer server([&](const fakes::ReceivedRequest&, fakes::FakeConnection& connection) {
    Json tokens = Json::array();
    Json values = Json::array();
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = std::min(text.find(' ', at + 1), text.size());
      tokens.push_back(text.substr(at, end - at));
      values.push_back(at == 0 ? Json() : Json(text.substr(at, end - at) == " that" ? -0.1 : -8.0));
      at = end;
    }
    connection.Reply(
        200, DumpJson({{"choices",
                        Json::array({{{"logprobs", {{"tokens", tokens}, {"token_logprobs", values}}}}})},
                       {"usage", {{"prompt_tokens", tokens.size()}}}}));
  });
  auto out = Compress(
      {{"text", text}, {"mode", "self_information"}, {"endpoint", server.base_url()}, {"keep_share", 0.95}});
  ASSERT_TRUE(out) << out.error().Text();
  EXPECT_EQ((*out)["output"], "Everyone knows the crane is not safe here in winter");
  EXPECT_EQ((*out)["gates"]["negations_kept"], true);
}

TEST(CompressPromptTool, AServerThatOnlyGeneratesIsNamedUnsupported) {  // ggml-org/llama.cpp#27174
  fakes::FakeHttpServer server([](const fakes::ReceivedRequest& request, fakes::FakeConnection& connection) {
    if (request.target != "/v1/completions") {
      connection.Reply(404, "{}");
      return;
    }
    connection.Reply(
        200,
        R"({"choices":[{"text":"x","logprobs":{"content":[{"token":"x","logprob":-1}]}}],"usage":{"prompt_tokens":9}})");
  });
  auto out =
      Compress({{"text", "some words"}, {"mode", "self_information"}, {"endpoint", server.base_url()}});
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().Text().find("prompt_logprobs: unsupported"), std::string::npos);
}

TEST(CompressPromptTool, AnAgentCannotSendTheTextToAnAddressOutsideThePolicy) {
  auto out = Compress(
      {{"text", "secret"}, {"mode", "self_information"}, {"endpoint", "http://192.0.2.7:8000"}}, Agent());
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, ErrorCode::kRefused);
}

}  // namespace
}  // namespace helix::mcp
