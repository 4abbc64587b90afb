#include "mcp/tools/read_usage_tool.h"

#include <gtest/gtest.h>

#include "tests/support/paths.h"

namespace helix::mcp {
namespace {

const char* kReply =
    R"({"type":"message","model":"claude-sonnet-4-6","content":[],"usage":{"input_tokens":2048,"cache_read_input_tokens":1800,)"
    R"("cache_creation_input_tokens":248,"cache_creation":{"ephemeral_5m_input_tokens":148,"ephemeral_1h_input_tokens":100},"output_tokens":503}})";

Result<Json> Call(const Json& arguments) {
  return ReadUsageTool().handler(arguments, Settings{}, RunContext{});
}

TEST(ReadUsageTool, GivesTheNormalFormAndTheCost) {
  auto out = Call({{"reply", kReply}, {"provider", "anthropic"}});
  ASSERT_TRUE(out);
  EXPECT_EQ((*out)["in_total"], 4096);
  EXPECT_EQ((*out)["cost"]["usd"], "0.015384");
  EXPECT_EQ((*out)["cost"]["kind"], "exact");
}

TEST(ReadUsageTool, WithoutAProviderThereIsNoPrice) {
  auto out = Call({{"reply", kReply}});
  ASSERT_TRUE(out);
  EXPECT_EQ((*out)["cost"]["kind"], "unknown");
  EXPECT_TRUE((*out)["cost"]["usd"].is_null());
}

TEST(ReadUsageTool, ReadsAFile) {
  auto out = Call({{"file", testing_support::TestData("replies/sglang_null_trace.json")}});
  ASSERT_TRUE(out);
  EXPECT_EQ((*out)["visibility"], "null");
  EXPECT_EQ((*out)["replies"].size(), 3u);
}

TEST(ReadUsageTool, NeedsExactlyOneSource) {
  EXPECT_FALSE(Call(Json::object()));
  EXPECT_FALSE(Call({{"reply", kReply}, {"file", "x"}}));
  EXPECT_FALSE(Call({{"reply", "not a reply"}}));
}

TEST(ReadUsageTool, AnAgentCannotNameAFile) {
  EXPECT_FALSE(ReadUsageTool().input_schema["properties"].contains("file"));
}

}  // namespace
}  // namespace helix::mcp
