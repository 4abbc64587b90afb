#include "core/levers/transforms.h"

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/levers/json_spans.h"
#include "core/levers/lines.h"
#include "tests/core/levers/shapes.h"

namespace helix::levers {
namespace {

TEST(Transforms, MinifyingKeepsNumbersAndStringsByteForByte) {
  auto out = MinifyJson("{ \"a\" : 1.0 , \"b\": [ 9007199254740993, \"x  \\\" y\" ] }\n");
  EXPECT_EQ(*out, R"({"a":1.0,"b":[9007199254740993,"x  \" y"]})");
  EXPECT_FALSE(MinifyJson(R"({"a":1})"));
  EXPECT_FALSE(MinifyJson("{ not json }"));
  EXPECT_FALSE(MinifyJson("plain text"));
}

TEST(Transforms, UniformRowsBecomeATableThatHoldsTheSame) {
  auto out = TabulateJson(
      R"([{"id":1,"n":"a b","ok":true},{"id":2,"n":"x,y","ok":false},{"id":3,"n":"7","ok":true},{"id":4,"n":"","ok":null},{"id":5,"n":"true","ok":true}])");
  ASSERT_TRUE(out);
  EXPECT_EQ(*out, "id,n,ok\n1,a b,true\n2,\"x,y\",false\n3,\"7\",true\n4,\"\",null\n5,\"true\",true");
}

TEST(Transforms, RowsThatAreNotUniformStay) {
  EXPECT_FALSE(TabulateJson(R"([{"a":1},{"a":2},{"a":3},{"a":4}])"));
  EXPECT_FALSE(TabulateJson(R"([{"a":1},{"a":2},{"b":3},{"a":4},{"a":5}])"));
  EXPECT_FALSE(TabulateJson(R"([{"a":[1]},{"a":[2]},{"a":[3]},{"a":[4]},{"a":[5]}])"));
  EXPECT_FALSE(TabulateJson(R"([{"a":1},{"a":2},{"a":3},{"a":4},{"a":5,"b":6}])"));
  EXPECT_FALSE(TabulateJson(R"([{"a":1},{"a":2},{"a":3},{"a":4},7])"));
  EXPECT_FALSE(TabulateJson("[[1],[2],[3],[4],[5]]"));
  EXPECT_FALSE(TabulateJson("[{},{},{},{},{}]"));
  EXPECT_FALSE(TabulateJson(R"([{"a":1},{"a":2},{"a":3},{"a":4},{"a":5})"));  // no JSON
}

TEST(Transforms, ATableKeepsEveryNumbersAndEscapesBytes) {
  EXPECT_EQ(*TabulateJson(
                "[ {\"a\": 1.00, \"b,c\":\"x\\u0041\"},\n{\"a\":2e5,\"b,c\":\"y\"},{\"a\":9007199254740993,"
                "\"b,c\":\"\"},{\"a\":-0,\"b,c\":\"q\\\"\"},{\"a\":5,\"b,c\":null} ]"),
            "a,\"b,c\"\n1.00,\"x\\u0041\"\n2e5,y\n9007199254740993,\"\"\n-0,\"q\\\"\"\n5,null");
}

TEST(Transforms, TerminalOutputKeepsItsFinalState) {
  EXPECT_EQ(*FinalTerminalState("a\r\x1b[31mb\x1b[0m\nc"), "b\nc");
  EXPECT_EQ(*FinalTerminalState("x\r\ny\r\n"), "x\ny\n");
  EXPECT_FALSE(FinalTerminalState("plain\n"));
}

TEST(Transforms, Base64BecomesItsDigestAndLongWordsStay) {
  auto out = ElideBase64(Base64(4096));
  ASSERT_TRUE(out);
  EXPECT_LT(out->size(), 100u);
  EXPECT_NE(out->find("width 640"), std::string::npos);
  EXPECT_FALSE(ElideBase64(std::string(1000, 'a')));
  EXPECT_FALSE(ElideBase64("short QUJD"));
}

TEST(Transforms, LogRunsKeepErrorsTheirContextAndTheEnd) {
  const std::string log = Log(400);
  auto out = CollapseLogRuns(log);
  ASSERT_TRUE(out);
  EXPECT_LT(out->size() * 5, log.size());
  EXPECT_NE(out->find("ERROR worker 7 failed: disk /dev/sdb1 is full"), std::string::npos);
  for (int i = 380; i < 400; ++i)
    EXPECT_NE(out->find("request " + std::to_string(5000 + i)), std::string::npos) << i;
  for (int i = 198; i < 203; ++i) {
    if (i == 200) continue;
    EXPECT_NE(out->find("request " + std::to_string(5000 + i)), std::string::npos) << i;
  }
}

TEST(Transforms, ALineWhoseNumberStandsOutStays) {
  std::string log;
  for (int i = 0; i < 100; ++i) log += "took " + std::string(i == 40 ? "9000" : "12") + " ms\n";
  auto out = CollapseLogRuns(log);
  ASSERT_TRUE(out);
  EXPECT_NE(out->find("took 9000 ms"), std::string::npos);
}

TEST(Transforms, BlankRunsGoAndIndentationStays) {
  EXPECT_EQ(*CollapseBlankRuns("a  \n\n\n\n  b\n"), "a\n\n  b\n");
  EXPECT_FALSE(CollapseBlankRuns("a\n\n  b\n"));
}

TEST(Transforms, KnowCodeFromProse) {
  EXPECT_TRUE(LooksLikeCode(SourceFile()));
  EXPECT_TRUE(LooksLikeCode("diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n"));
  EXPECT_FALSE(LooksLikeCode(Prose(3)));
}

TEST(JsonSpans, ReplacesOneStringAndNothingElse) {
  const std::string body = "{ \"a\\u0041\" : [1.0, \"x\", {\"b/c\":\"y\\n\"}],\"d\":\"z\" }";
  auto spans = FindStrings(body);
  ASSERT_TRUE(spans);
  ASSERT_EQ(spans->size(), 3u);
  EXPECT_EQ((*spans)[0].pointer, "/aA/1");
  EXPECT_EQ((*spans)[1].pointer, "/aA/2/b~1c");
  EXPECT_EQ(Splice(body, {{(*spans)[1].begin, (*spans)[1].end, "new \"q\""}}),
            "{ \"a\\u0041\" : [1.0, \"x\", {\"b/c\":\"new \\\"q\\\"\"}],\"d\":\"z\" }");
  EXPECT_EQ(Splice(body, {}), body);
}

}  // namespace
}  // namespace helix::levers
