#include "core/usage/count.h"

#include <gtest/gtest.h>

namespace helix::usage {
namespace {

Count Of(const std::string& value) {
  return CountAt(*ParseJson("{\"n\":" + value + "}"), "n");
}

TEST(Count, AcceptsWholeNumbersHoweverTheyAreWritten) {
  EXPECT_EQ(Of("12").value, 12);
  EXPECT_EQ(Of("12.0").value, 12);
  EXPECT_EQ(Of("\"12\"").value, 12);
  EXPECT_EQ(Of("0").value, 0);
  EXPECT_TRUE(Of("0").present());
  EXPECT_EQ(Of("9007199254740992").value, 9007199254740992);
}

TEST(Count, RefusesWhatIsNoCount) {
  for (const char* bad : {"-1", "1e30", "1.5", "\"12 tokens\"", "\"\"", "true", "[]", "{}", "\"-1\"",
                          "\"1.5\"", "9007199254740993", "18446744073709551615"}) {
    EXPECT_EQ(Of(bad).state, Count::State::kInvalid) << bad;
  }
}

TEST(Count, TellsNullFromAbsent) {
  EXPECT_EQ(Of("null").state, Count::State::kNull);
  EXPECT_EQ(CountAt(*ParseJson("{}"), "n").state, Count::State::kAbsent);
  EXPECT_EQ(CountAt(*ParseJson(R"({"details":null})"), "details/cached").state, Count::State::kNull);
  EXPECT_EQ(CountAt(*ParseJson(R"({"details":{}})"), "details/cached").state, Count::State::kAbsent);
}

TEST(Count, TakesTheFirstPathThatHoldsAValue) {
  Json usage = *ParseJson(R"({"a":null,"b":7,"c":9})");
  EXPECT_EQ(FirstCount(usage, {"a", "b", "c"}).value, 7);
  EXPECT_EQ(FirstCount(usage, {"x", "a"}).state, Count::State::kNull);
}

}  // namespace
}  // namespace helix::usage
