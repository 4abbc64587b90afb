#include "mcp/cli/plain_text.h"

#include <gtest/gtest.h>

namespace helix::mcp {
namespace {

std::string Text(const char* json) {
  auto value = ParseJson(json);
  return value ? PlainText(*value) : value.error().Text();
}

TEST(PlainText, HasALineForEveryValueAndCallsNullAbsent) {
  EXPECT_EQ(Text(R"({"verdict":"PASS","read":null,"ratio":1.5,"ok":true})"),
            "verdict: PASS\nread: absent\nratio: 1.5\nok: true\n");
}

TEST(PlainText, IndentsMembersBelowTheirKey) {
  EXPECT_EQ(Text(R"({"cold":{"n":10,"cost":{"usd":"0.1"}},"empty":{}})"),
            "cold:\n  n: 10\n  cost:\n    usd: 0.1\nempty: none\n");
}

TEST(PlainText, PutsPlainListsInOneLineAndObjectsBehindDashes) {
  EXPECT_EQ(Text(R"({"codes":["a","b"],"none":[],"findings":[{"code":"x","see":[1,2]},{}]})"),
            "codes: a, b\nnone: none\nfindings:\n  - code: x\n    see: 1, 2\n  - none\n");
}

TEST(PlainText, KeepsLinesOfATextFromPassingForKeys) {
  EXPECT_EQ(Text(R"({"text":"one\nverdict: PASS","verdict":"FAIL"})"),
            "text:\n  | one\n  | verdict: PASS\nverdict: FAIL\n");
}

TEST(PlainText, HasListsWithinLists) {
  EXPECT_EQ(Text(R"({"rows":[[1,2],[3,{"a":4}]]})"), "rows:\n  - 1, 2\n  -\n    - 3\n    - a: 4\n");
}

}  // namespace
}  // namespace helix::mcp
