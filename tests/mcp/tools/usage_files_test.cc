// `helix-perf-cache usage FILE --json` on every stored reply: the names of the contract, the numbers
// expected.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "mcp/tools/read_usage_tool.h"
#include "tests/support/paths.h"

namespace helix::mcp {
namespace {

Json OfFile(const std::string& name) {
  auto out = ReadUsageTool().handler({{"file", testing_support::TestData("replies/" + name)}}, Settings{},
                                     RunContext{});
  return out ? *out : Json{{"failed", out.error().Text()}};
}

TEST(UsageFiles, CarryEveryFieldOfTheNormalFormAndNothingThatIsZeroForAbsent) {
  const Json expected = *ReadJsonFile(testing_support::TestData("replies/expected.json"));
  for (const auto& [name, entry] : expected.items()) {
    const Json form = OfFile(name);
    ASSERT_FALSE(form.contains("failed")) << name << " " << form;
    for (const char* field :
         {"in_total", "in_uncached", "cache_read", "cache_write_5m", "cache_write_1h", "cache_write_other",
          "out_total", "out_reasoning", "reported_cost", "prefill_ms", "decode_ms", "visibility", "flags"})
      EXPECT_TRUE(form.contains(field)) << name << " " << field;
    const Json& want = entry["expect"];
    EXPECT_EQ(form["in_total"], want["prompt_total"]) << name;
    EXPECT_EQ(form["cache_read"], want["cached"]) << name;
    EXPECT_EQ(form["out_total"], want["completion"]) << name;
    EXPECT_EQ(form["visibility"], want["visibility"]) << name;
    EXPECT_EQ(form["cache_read"].is_null(), want["cached"].is_null()) << name;
  }
}

TEST(UsageFiles, AListHasAllItsReplies) {
  EXPECT_EQ(OfFile("sglang_null_trace.json")["replies"].size(), 3u);
  for (const char* pair : {"lmstudio_pair.json", "local_anthropic_never_reads_pair.json"}) {
    const Json text = *ReadJsonFile(testing_support::TestData(std::string("replies/") + pair));
    EXPECT_EQ(OfFile(pair)["replies"].size(), text["trace"].size()) << pair;
  }
}

}  // namespace
}  // namespace helix::mcp
