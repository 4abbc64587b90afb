#include "tests/repo/string_literals.h"

#include <gtest/gtest.h>

namespace helix::repo {
namespace {

std::string Joined(const std::string& source) {
  std::string all;
  for (const auto& literal : StringLiterals(source))
    all += std::to_string(literal.line) + ":" + literal.text + ";";
  return all;
}

TEST(StringLiterals, LeavesOutCommentsAndCode) {
  EXPECT_EQ(Joined("// \"no\"\n/* \"no\n*/ f(\"yes\"); // it's\ng(\"two\");"), "3:yes;4:two;");
}

TEST(StringLiterals, ReadsRawOnesWithTheirDelimiter) {
  EXPECT_EQ(Joined("a = R\"x(one \" )\" two)x\";\nb = \"c\";"), "1:one \" )\" two;2:c;");
}

TEST(StringLiterals, KeepsEscapesAndSkipsCharactersAndDigitSeparators) {
  EXPECT_EQ(Joined(R"(f('"', "a\"b", 1'000'000, "c");)"), "1:a\\\"b;1:c;");
}

}  // namespace
}  // namespace helix::repo
