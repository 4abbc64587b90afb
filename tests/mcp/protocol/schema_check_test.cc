#include "mcp/protocol/schema_check.h"

#include <gmock/gmock.h>

namespace helix::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Json Schema(const char* text) {
  return *ParseJson(text);
}

TEST(SchemaCheck, AcceptsWhatConforms) {
  const auto schema = Schema(R"({"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":5},
      "s":{"type":["string","null"]},"l":{"type":"array","items":{"type":"number"},"minItems":1}},
      "required":["n"],"additionalProperties":false})");
  EXPECT_THAT(CheckValue(schema, Schema(R"({"n":5,"s":null,"l":[1,2.5]})")), IsEmpty());
  EXPECT_THAT(CheckValue(schema, Schema(R"({"n":2.0})")), IsEmpty()) << "an integral float is an integer";
}

TEST(SchemaCheck, SaysTheRangeInWords) {
  const auto schema =
      Schema(R"({"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":5}}})");
  EXPECT_THAT(CheckValue(schema, Schema(R"({"n":9})")),
              ElementsAre("`n` must be an integer from 1 to 5, but it is 9"));
  EXPECT_THAT(CheckValue(schema, Schema(R"({"n":"two"})")),
              ElementsAre("`n` must be an integer from 1 to 5, but it is \"two\""));
}

TEST(SchemaCheck, RefusesAnIntegerThatADoubleCannotHold) {
  const auto schema = Schema(R"({"type":"object","properties":{"n":{"type":"integer","minimum":1}}})");
  EXPECT_THAT(CheckValue(schema, Schema(R"({"n":9007199254740992})")), IsEmpty());
  for (const char* beyond : {R"({"n":99999999999999999999})", R"({"n":1e300})", R"({"n":18446744073709551615})"}) {
    EXPECT_THAT(CheckValue(schema, Schema(beyond)), ElementsAre(HasSubstr("beyond 2^53"))) << beyond;
  }
}

TEST(SchemaCheck, NamesThePlaceInsideListsAndObjects) {
  const auto schema = Schema(R"({"type":"object","properties":{"a":{"type":"object","properties":{
      "b":{"type":"array","items":{"type":"boolean"}}}}}})");
  EXPECT_THAT(CheckValue(schema, Schema(R"({"a":{"b":[true,3]}})")),
              ElementsAre("`a.b[1]` must be true or false, but it is 3"));
}

TEST(SchemaCheck, ReportsEveryProblemAtOnceAndSuggestsTheNameMeant) {
  const auto schema =
      Schema(R"({"type":"object","properties":{"pairs":{"type":"integer"},"seed":{"type":"integer"}},
      "required":["seed"],"additionalProperties":false})");
  EXPECT_THAT(CheckValue(schema, Schema(R"({"pair":3})")),
              ElementsAre("`seed` is missing: send an integer",
                          "`pair` is not known here; did you mean `pairs`?; known: pairs seed"));
}

TEST(SchemaCheck, CountsCharactersAndNotBytes) {
  const auto schema = Schema(R"({"type":"string","maxLength":3})");
  EXPECT_THAT(CheckValue(schema, Json("äöü")), IsEmpty());
  EXPECT_EQ(CheckValue(schema, Json("äöüß")).size(), 1U);
}

TEST(SchemaCheck, HonoursEnumConstAndExclusiveBounds) {
  EXPECT_THAT(CheckValue(Schema(R"({"enum":["quick","standard"]})"), Json("slow")),
              ElementsAre(HasSubstr("one of \"quick\", \"standard\"")));
  EXPECT_EQ(CheckValue(Schema(R"({"const":7})"), Json(8)).size(), 1U);
  EXPECT_EQ(CheckValue(Schema(R"({"type":"number","exclusiveMinimum":0})"), Json(0)).size(), 1U);
}

TEST(SchemaCheck, ShortensWhatItQuotesAtACharacterBoundary) {
  std::string big;
  for (int i = 0; i < 100; ++i) big += "é";
  const auto problems = CheckValue(Schema(R"({"type":"integer"})"), Json(big));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_LT(problems[0].size(), 140U);
  EXPECT_TRUE(ParseJson(DumpJson(Json(problems[0]))));
  EXPECT_THAT(problems[0], ::testing::Not(HasSubstr("\xEF\xBF\xBD")));
}

TEST(SchemaCheck, RefusesWordsThatNothingChecks) {
  EXPECT_THAT(SchemaProblems(Schema(R"({"type":"object","properties":{"a":{"pattern":"x"}}})")),
              ElementsAre("root.a uses `pattern`, which nothing checks"));
  EXPECT_EQ(SchemaProblems(Schema(R"({"oneOf":[]})")).size(), 2U);
}

}  // namespace
}  // namespace helix::mcp
