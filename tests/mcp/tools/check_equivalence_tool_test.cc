#include "mcp/tools/check_equivalence_tool.h"

#include <gtest/gtest.h>

namespace helix::mcp {
namespace {

Result<Json> Call(const Json& arguments, bool from_agent) {
  Settings settings;
  settings.endpoint = "http://127.0.0.1:1";
  settings.from_agent = from_agent;
  return CheckEquivalenceTool().handler(arguments, settings, RunContext{});
}

TEST(CheckEquivalenceTool, SkipsAServerThatDoesNotAnswer) {
  const auto result = Call(Json::object(), true);
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ((*result)["verdict"], "SKIP");
  EXPECT_EQ((*result)["skip_code"], "topology_unsupported");
  EXPECT_EQ((*result)["skip_reason"].get<std::string>().rfind("server_unreachable:", 0), 0U);
  EXPECT_FALSE(result->contains("classes"));
}

TEST(CheckEquivalenceTool, DoesNotCallAnEndpointThatTheUserDidNotAllow) {
  const auto result = Call({{"endpoint", "http://192.0.2.1:8080"}}, true);
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ((*result)["skip_reason"].get<std::string>().rfind("endpoint_not_allowed:", 0), 0U);
}

TEST(CheckEquivalenceTool, ShowsAnAgentNeitherPathsNorPrograms) {
  const Tool tool = CheckEquivalenceTool();
  for (const char* name : {"server", "model", "out"}) {
    EXPECT_FALSE(tool.input_schema["properties"].contains(name));
    EXPECT_TRUE(tool.cli_properties.contains(name));
  }
  EXPECT_EQ(tool.duration, ToolDuration::kLong);
  EXPECT_EQ(tool.input_schema["properties"]["profile"]["default"], "quick");
  EXPECT_EQ(tool.cli_defaults["profile"], "standard");
}

TEST(CheckEquivalenceTool, AHostedApiWithoutAKeyIsASkip) {
  for (const char* name : {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"}) unsetenv(name);
  const auto result = Call({{"provider", "anthropic"}}, true);
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ((*result)["skip_reason"].get<std::string>().rfind("credentials_absent:", 0), 0U);
  EXPECT_EQ(result->size(), 4U);
}

TEST(CheckEquivalenceTool, AnAgentSeesTheStatisticalModeAndNotTheSwitchToPay) {
  const Tool tool = CheckEquivalenceTool();
  for (const char* name : {"provider", "protocol", "model_id", "repeats", "prefix_tokens", "temperature"})
    EXPECT_TRUE(tool.input_schema["properties"].contains(name)) << name;
  for (const char* name : {"paid", "max_usd", "prices"}) {
    EXPECT_FALSE(tool.input_schema["properties"].contains(name)) << name;
    EXPECT_TRUE(tool.cli_properties.contains(name)) << name;
  }
}

TEST(CheckEquivalenceTool, TheProtocolAloneAsksTheConfiguredServer) {
  const auto result = Call({{"protocol", "openai"}, {"model_id", "m"}}, false);
  ASSERT_TRUE(result) << result.error().Text();
  EXPECT_EQ((*result)["verdict"], "SKIP") << DumpJson(*result);
}

TEST(CheckEquivalenceTool, RefusesFewerTokensThanProveAnything) {
  const auto result = Call({{"output_tokens", 4}}, false);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace helix::mcp
