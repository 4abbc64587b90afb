#include "core/base/json_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/random.h"

namespace helix {
namespace {

constexpr JsonRules kLenient{false, 256};
constexpr JsonRules kStrict{true, 128};

const std::vector<std::string>& Documents() {
  static const std::vector<std::string> documents = {
      R"({"model":"m","n":[0,-1,1.5,-0.25e-3,1E+2,18446744073709551615,-9223372036854775808],"t":true,"f":false})",
      R"([null,"",{},[],{"a":{"b":[{"c":"d"}]}},"\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00\u0000"])",
      "{\"text\":\"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80 and a long line of plain "
      "letters\",\"k\":\"\x7F\"}",
      " \t\r\n{ \"a\" : 1 , \"b\" : [ 2 , 3 ] } \n",
      R"({"same":1,"other":2,"same":3})",
      "-0",
      "9007199254740993",
      "0.1",
      "\"\xEF\xBF\xBF\"",
  };
  return documents;
}

// What the library alone makes of it; discarded when it refuses.
Json Slow(const std::string& text) {
  return Json::parse(text, nullptr, false);
}

TEST(ReadPlainJson, ReadsADocumentAsTheLibraryDoes) {
  for (const std::string& text : Documents()) {
    const auto plain = ReadPlainJson(text, kLenient);
    ASSERT_TRUE(plain) << text;
    EXPECT_EQ(plain->dump(), Slow(text).dump()) << text;
    EXPECT_EQ(plain->type(), Slow(text).type()) << text;
  }
}

// One to three bytes put in, taken out or overwritten.
std::string Changed(std::string text, SplitMix64& random) {
  using namespace std::string_literals;
  static const std::string bytes =
      "{}[]\",:\\/u0019.-+eEtfn \x01\x1F\x7F\x80\xBF\xC3\xE2\xED\xF0\xF4\xFF\0dD8"s;
  for (std::uint64_t i = 0, changes = 1 + random.Below(3); i < changes && !text.empty(); ++i) {
    const std::size_t at = random.Below(text.size());
    const char byte = bytes[random.Below(bytes.size())];
    switch (random.Below(3)) {
      case 0:
        text.erase(at, 1);
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      default:
        text[at] = byte;
    }
  }
  return text;
}

TEST(ReadPlainJson, NeverReadsWhatTheLibraryRefusesNorReadsItOtherwise) {
  SplitMix64 random(11);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = Changed(Documents()[random.Below(Documents().size())], random);
    const auto plain = ReadPlainJson(text, kLenient);
    if (!plain) continue;
    ++read;
    const Json slow = Slow(text);
    ASSERT_FALSE(slow.is_discarded()) << text;
    ASSERT_EQ(plain->dump(), slow.dump()) << text;
  }
  EXPECT_GT(read, 2'000);
}

TEST(ParseJson, TakesAndRefusesAsTheLibraryDoes) {
  SplitMix64 random(12);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = Changed(Documents()[random.Below(Documents().size())], random);
    if (text.find('\0') != std::string::npos) continue;  // see RefusesANul
    const auto value = ParseJson(text);
    const Json slow = Slow(text);
    ASSERT_EQ(value.has_value(), !slow.is_discarded()) << text;
    refused += slow.is_discarded() ? 1 : 0;
    if (!value) continue;
    ASSERT_EQ(value->dump(), slow.dump()) << text;
  }
  EXPECT_GT(refused, 2'000);
}

TEST(ParseJson, RefusesANul) {
  using namespace std::string_literals;
  for (const std::string& text : {"{}\0"s, "{}\0x"s, "\"a\0b\""s, "\0"s}) {
    const auto value = ParseJson(text);
    ASSERT_FALSE(value);
    EXPECT_NE(value.error().message.find("NUL"), std::string::npos) << value.error().message;
  }
}

TEST(ParseJson, TakesAByteOrderMark) {
  const auto value = ParseJson("\xEF\xBB\xBF[1]");
  ASSERT_TRUE(value) << value.error().Text();
  EXPECT_EQ(DumpJson(*value), "[1]");
}

TEST(ReadPlainJson, LeavesNumbersThatNoIntegerHoldsToTheSlowParser) {
  EXPECT_FALSE(ReadPlainJson("18446744073709551616", kLenient));
  const auto value = ParseJson("18446744073709551616");
  ASSERT_TRUE(value);
  EXPECT_TRUE(value->is_number_float());
}

TEST(ReadPlainJson, HoldsTheStrictRules) {
  for (const char* text : {R"({"a":1,"a":2})", "9007199254740993", "-9007199254740993"})
    EXPECT_FALSE(ReadPlainJson(text, kStrict)) << text;
  for (const char* text : {R"({"a":1,"b":{"a":2}})", "9007199254740992", "-9007199254740992"})
    EXPECT_TRUE(ReadPlainJson(text, kStrict)) << text;
}

TEST(ReadPlainJson, CountsDepthInOpenContainers) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(ReadPlainJson(nested(128), kStrict));
  EXPECT_FALSE(ReadPlainJson(nested(129), kStrict));
}

std::string Wide(int members, const std::string& last) {
  std::string text = "{";
  for (int i = 0; i < members; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  return text + "\"" + last + "\":-1}";
}

TEST(ReadPlainJson, KeepsTheLastOfTwoEqualKeysInAWideObject) {
  for (const int members : {3, 32, 33, 500}) {
    const auto value = ReadPlainJson(Wide(members, "k1"), kLenient);
    ASSERT_TRUE(value);
    EXPECT_EQ(value->size(), static_cast<std::size_t>(members));
    EXPECT_EQ(value->dump(), Slow(Wide(members, "k1")).dump());
    EXPECT_FALSE(ReadPlainJson(Wide(members, "k1"), kStrict));
    EXPECT_TRUE(ReadPlainJson(Wide(members, "new"), kStrict));
  }
}

}  // namespace
}  // namespace helix
