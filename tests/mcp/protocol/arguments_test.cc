#include "mcp/protocol/arguments.h"

#include <gmock/gmock.h>

#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

using ::testing::HasSubstr;

Tool Sample() {
  Tool tool;
  tool.name = "sample";
  tool.input_schema =
      *ParseJson(R"({"type":"object","properties":{"pairs":{"type":"integer","minimum":2,"maximum":9,
      "default":4},"label":{"type":"string"}}})");
  tool.cli_properties = *ParseJson(R"({"server":{"type":"string"}})");
  tool.cli_defaults = *ParseJson(R"({"pairs":6})");
  return tool;
}

TEST(Arguments, AreCompletedFromTheDefaults) {
  auto done = PrepareArguments("sample", PublishedInputSchema(Sample()), Json());
  ASSERT_TRUE(done);
  EXPECT_EQ(DumpJson(*done), R"({"pairs":4})");
}

TEST(Arguments, LoseTheKeyThatOneClientAddsToEveryCall) {
  auto done = PrepareArguments("sample", PublishedInputSchema(Sample()),
                               *ParseJson(R"({"wait_for_previous":true,"label":"x"})"));
  ASSERT_TRUE(done);
  EXPECT_EQ(DumpJson(*done), R"({"label":"x","pairs":4})");
}

TEST(Arguments, TakeNullForAbsent) {
  auto done = PrepareArguments("sample", PublishedInputSchema(Sample()),
                               *ParseJson(R"({"label":null,"pairs":null})"));
  ASSERT_TRUE(done);
  EXPECT_EQ(DumpJson(*done), R"({"pairs":4})");
}

TEST(Arguments, SayWhatToSendInstead) {
  auto done =
      PrepareArguments("sample", PublishedInputSchema(Sample()), *ParseJson(R"({"pairs":1,"labl":"x"})"));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(done.error().message, HasSubstr("`pairs` must be an integer from 2 to 9, but it is 1"));
  EXPECT_THAT(done.error().message, HasSubstr("did you mean `label`?"));
}

TEST(Arguments, MustBeAnObject) {
  EXPECT_FALSE(PrepareArguments("sample", PublishedInputSchema(Sample()), Json::array()));
}

TEST(Arguments, OfTheCommandLineAreNotSeenByAnAgent) {
  const Json server{{"server", "/bin/sh"}};
  EXPECT_FALSE(PrepareArguments("sample", PublishedInputSchema(Sample()), server));
  auto done = PrepareArguments("sample", CommandLineSchema(Sample()), server);
  ASSERT_TRUE(done);
  EXPECT_EQ(DumpJson(*done), R"({"server":"/bin/sh","pairs":6})");
}

TEST(Arguments, HaveTheirRangeInWholeDigits) {
  EXPECT_EQ(DescribeExpected(*ParseJson(R"({"type":"integer","minimum":0,"maximum":9007199254740991})")),
            "an integer from 0 to 9007199254740991");
}

}  // namespace
}  // namespace helix::mcp
