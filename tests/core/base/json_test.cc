#include "core/base/json.h"

#include <gtest/gtest.h>

#include "core/base/json_fields.h"

namespace helix {
namespace {

TEST(ParseStrict, KeepsDocumentOrder) {
  auto v = ParseStrict(R"({"b":1,"a":[true,null,"x"],"c":{"d":1.5}})");
  ASSERT_TRUE(v) << v.error().Text();
  EXPECT_EQ(DumpJson(*v), R"({"b":1,"a":[true,null,"x"],"c":{"d":1.5}})");
}

struct Refusal {
  const char* text;
  const char* says;
};

class ParseStrictRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(ParseStrictRefuses, WithThePosition) {
  auto v = ParseStrict(GetParam().text);
  ASSERT_FALSE(v);
  EXPECT_EQ(v.error().code, ErrorCode::kParse);
  EXPECT_NE(v.error().message.find(GetParam().says), std::string::npos) << v.error().message;
  EXPECT_NE(v.error().message.find("byte"), std::string::npos) << v.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ParseStrictRefuses,
    testing::Values(Refusal{R"({"a":1,"a":2})", "duplicate key"}, Refusal{R"([NaN])", "not valid JSON"},
                    Refusal{R"([1e999])", "double"}, Refusal{R"([9007199254740993])", "2^53"},
                    Refusal{R"([-9007199254740993])", "2^53"},
                    Refusal{R"([123456789012345678901234567890])", "2^53"},
                    Refusal{R"(["\ud800"])", "not valid JSON"}, Refusal{"[\"\xff\"]", "not valid JSON"},
                    Refusal{"{} x", "not valid JSON"}, Refusal{"", "not valid JSON"},
                    Refusal{R"({"a":)", "not valid JSON"}));

TEST(ParseStrict, RefusesDeepNesting) {
  EXPECT_FALSE(ParseStrict(std::string(200, '[') + std::string(200, ']')));
  EXPECT_TRUE(ParseStrict(std::string(100, '[') + std::string(100, ']')));
}

TEST(ParseJson, LetsBigIntegersThrough) {
  auto v = ParseJson("9007199254740993");
  ASSERT_TRUE(v);
  EXPECT_EQ(DumpJson(*v), "9007199254740993");
}

TEST(DumpJson, ReplacesInvalidUtf8) {
  EXPECT_EQ(DumpJson(Json("a\xff")), "\"a\xEF\xBF\xBD\"");
}

TEST(JsonFields, AbsentAndNullAreNotZero) {
  Json v = {{"a", nullptr}, {"b", {{"c", 3.0}, {"d", "3"}, {"e", true}}}};
  EXPECT_FALSE(IntAt(v, "a"));
  EXPECT_FALSE(IntAt(v, "missing/deep"));
  EXPECT_EQ(IntAt(v, "b/c"), 3);
  EXPECT_FALSE(IntAt(v, "b/d"));
  EXPECT_FALSE(NumberAt(v, "b/e"));
}

}  // namespace
}  // namespace helix
