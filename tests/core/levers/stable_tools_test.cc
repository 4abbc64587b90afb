#include "core/levers/stable_tools.h"

#include <gtest/gtest.h>

#include "core/levers/prompt.h"

namespace helix::levers {
namespace {

// maximhq/bifrost#2347, openai/codex#2611: hash maps gave 261 orders in 287 requests.
const char* kTools =
    R"([{"name":"c","input_schema":{"type":"object","required":["b","a"],"properties":{"z":{"enum":["z","a"]},"a":{"type":"string"}}}},)"
    R"({"name":"a","input_schema":{"type":"object"}},{"name":"b","input_schema":{"type":"object"}}])";
const char* kOtherOrder =
    R"([{"name":"b","input_schema":{"type":"object"}},{"input_schema":{"properties":{"z":{"enum":["z","a"]},"a":{"type":"string"}},"required":["a","b"],"type":"object"},"name":"c"},)"
    R"({"name":"a","input_schema":{"type":"object"}}])";

TEST(StableTools, TwoOrdersGiveTheSameBytes) {
  EXPECT_EQ(DumpJson(StableTools(*ParseJson(kTools))), DumpJson(StableTools(*ParseJson(kOtherOrder))));
}

TEST(StableTools, LeavesWhatAModelReadsInOrder) {
  const std::string out = DumpJson(StableTools(*ParseJson(kTools)));
  EXPECT_NE(out.find(R"("enum":["z","a"])"), std::string::npos);
  EXPECT_NE(out.find(R"("required":["a","b"])"), std::string::npos);
  EXPECT_LT(out.find("\"z\":{"), out.find("\"a\":{"));
}

TEST(StableTools, ApplyingItTwiceChangesNothingMore) {
  const Json once = StableTools(*ParseJson(kTools));
  EXPECT_EQ(DumpJson(StableTools(once)), DumpJson(once));
}

TEST(StableTools, NamesTheDifference) {
  const Json tools = *ParseJson(kTools);
  Json reordered = Json::array({tools[1], tools[0], tools[2]});
  EXPECT_STREQ(ToolsDifference(tools, reordered), "tool_order");
  const Json keys = *ParseJson(R"([{"name":"a","input_schema":{"properties":{"x":{},"y":{}}}}])");
  const Json permuted = *ParseJson(R"([{"name":"a","input_schema":{"properties":{"y":{},"x":{}}}}])");
  EXPECT_STREQ(ToolsDifference(keys, permuted), "key_order");
  EXPECT_STREQ(ToolsDifference(keys, tools), "tools_changed");
  EXPECT_STREQ(ToolsDifference(keys, keys), "");
}

TEST(StableTools, AreSplicedIntoTheBodyAndEveryOtherByteStays) {
  const std::string head = "{ \"model\" : \"m\", \"temperature\":1.0, \"tools\" : ";
  const std::string tail = " , \"messages\":[ {\"role\":\"user\",\"content\":\"q\"} ] }";
  PromptOptions options;
  options.stable_tools = true;
  auto out = CompressPrompt(head + kTools + tail, options);
  ASSERT_TRUE(out);
  EXPECT_TRUE(out->tools_ordered);
  EXPECT_EQ(out->body, head + DumpJson(StableTools(*ParseJson(kTools))) + tail);
  EXPECT_EQ(CompressPrompt(out->body, options)->body, out->body);
  EXPECT_EQ(CompressPrompt(head + kTools + tail, {})->body, head + kTools + tail);
}

}  // namespace
}  // namespace helix::levers
