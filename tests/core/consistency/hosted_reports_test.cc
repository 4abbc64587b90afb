// Public reports of prompts that broke their own cache, as pairs of requests.
#include <gtest/gtest.h>

#include "core/base/json_fields.h"
#include "core/consistency/case_diagnosis.h"
#include "tests/core/consistency/bodies.h"

namespace helix::consistency {
namespace {

Json DiagnosisOf(const Json& a, const Json& b) {
  auto result = DiagnoseCase(Json{{"kind", "request_pair"}, {"input", {{"a", a}, {"b", b}}}}, {});
  return result ? *result : Json{{"verdict", result.error().Text()}};
}

TEST(HostedReports, AClockInTheSystemTextIsFoundAtItsByte) {  // HKUDS/nanobot#226
  const auto [a, b] =
      WithSystem("Current time: 2026-12-01 03:55. Be kind.", "Current time: 2026-12-01 03:56. Be kind.");
  const Json out = DiagnosisOf(a, b);
  EXPECT_EQ(out["verdict"], "VOLATILE_TIMESTAMP");
  EXPECT_EQ(out["first_divergence"], "/system/0/text");
  EXPECT_GT(out["divergence"]["byte"].get<int>(), 0);
  EXPECT_GT(out["lost"]["bytes"].get<int>(), 0);
  EXPECT_NE(out["advice"]["text"].get<std::string>().find("newest user message"), std::string::npos);
}

TEST(HostedReports, ToolsInAnotherOrderOrWithOtherKeyOrder) {  // maximhq/bifrost#2347
  const Json a = AnthropicBody();
  Json b = NextTurn(a);
  std::swap(b["tools"][0], b["tools"][1]);
  EXPECT_EQ(DiagnosisOf(a, b)["verdict"], "TOOLS_REORDERED");
  Json keys = NextTurn(a);
  keys["tools"][0]["input_schema"]["properties"] =
      *ParseJson(R"({"offset":{"type":"integer"},"path":{"type":"string"}})");
  EXPECT_EQ(DiagnosisOf(a, keys)["verdict"], "TOOL_SCHEMA_KEY_ORDER");
}

TEST(HostedReports, TheBillingHeaderThatChangesPerRequest) {  // anthropics/claude-code#68900
  const auto [a, b] = WithSystem("x-anthropic-billing-header: cc_version=2.1.0; cch=ab12c;\nBe kind.",
                                 "x-anthropic-billing-header: cc_version=2.1.0; cch=9f00d;\nBe kind.");
  const Json out = DiagnosisOf(a, b);
  EXPECT_EQ(out["verdict"], "VOLATILE_ATTRIBUTION");
  EXPECT_EQ(out["advice"]["setting"], "CLAUDE_CODE_ATTRIBUTION_HEADER=0");
}

TEST(HostedReports, TheSameTextInAnotherForm) {  // anthropics/claude-code#93490
  Json a = AnthropicBody();
  a["messages"][1]["content"] = "I will look.";
  Json b = NextTurn(a);
  b["messages"][1]["content"] = *ParseJson(R"([{"type":"text","text":"I will look."}])");
  const Json out = DiagnosisOf(a, b);
  EXPECT_EQ(out["verdict"], "REPRESENTATION_CHANGED");
  EXPECT_EQ(out["first_divergence"], "/messages/1/content");
}

TEST(HostedReports, ARewrittenMessageIsABust) {  // headroomlabs-ai/headroom#3379
  const Json a = AnthropicBody();
  Json b = NextTurn(a);
  b["messages"][2]["content"][0]["content"] = "[compressed] 0.1";
  const Json out = DiagnosisOf(a, b);
  EXPECT_EQ(out["raw_append_only"], false);
  EXPECT_EQ(out["first_divergence"], "/messages/2/content/0/content");
  EXPECT_GT(out["lost"]["bytes"].get<int>(), 0);
}

}  // namespace
}  // namespace helix::consistency
