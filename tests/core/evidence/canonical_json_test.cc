#include "core/evidence/canonical_json.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/evidence/digest.h"

namespace helix::evidence {
namespace {

TEST(CanonicalNumber, PrintsAsEcmaScriptDoes) {
  EXPECT_EQ(CanonicalNumber(333333333.33333329), "333333333.3333333");
  EXPECT_EQ(CanonicalNumber(1e30), "1e+30");
  EXPECT_EQ(CanonicalNumber(4.50), "4.5");
  EXPECT_EQ(CanonicalNumber(2e-3), "0.002");
  EXPECT_EQ(CanonicalNumber(0.000000000000000000000000001), "1e-27");
  EXPECT_EQ(CanonicalNumber(-0.0), "0");
  EXPECT_EQ(CanonicalNumber(1e21), "1e+21");
  EXPECT_EQ(CanonicalNumber(123456789012345680000.0), "123456789012345680000");
  EXPECT_EQ(CanonicalNumber(5e-324), "5e-324");
  EXPECT_EQ(CanonicalNumber(-1.7976931348623157e308), "-1.7976931348623157e+308");
  EXPECT_EQ(CanonicalNumber(1e-6), "0.000001");
  EXPECT_EQ(CanonicalNumber(1e-7), "1e-7");
}

TEST(CanonicalJson, SortsKeysByUtf16) {
  // RFC 8785 section 3.2.3: the emoji (a surrogate pair) sorts before U+FB33.
  Json v = {{"\xE2\x82\xAC", 1},     {"\r", 2},       {"\xEF\xAC\xB3", 3}, {"1", 4},
            {"\xF0\x9F\x98\x80", 5}, {"\xC2\x80", 6}, {"\xC3\xB6", 7}};
  EXPECT_EQ(CanonicalJson(v),
            "{\"\\r\":2,\"1\":4,\"\xC2\x80\":6,\"\xC3\xB6\":7,\"\xE2\x82\xAC\":1,\"\xF0\x9F\x98\x80\":5,"
            "\"\xEF\xAC\xB3\":3}");
}

}  // namespace
}  // namespace helix::evidence
