#include "mcp/install/jsonc_edit.h"

#include <gtest/gtest.h>

namespace helix::mcp {
namespace {

const std::vector<std::string> kPath = {"mcpServers", "ours"};
const Json kEntry = {{"command", "x"}};

std::string Set(const std::string& text) {
  auto result = SetJsoncMember(text, kPath, kEntry);
  return result ? *result : "error: " + result.error().message;
}

std::string Removed(const std::string& text) {
  auto result = RemoveJsoncMember(text, kPath);
  return result ? *result : "error: " + result.error().message;
}

TEST(JsoncEdit, MakesTheObjectsOnTheWay) {
  const std::string made =
      "{\n  \"mcpServers\": {\n    \"ours\": {\n      \"command\": \"x\"\n    }\n  }\n}\n";
  EXPECT_EQ(Set(""), made);
  EXPECT_EQ(Set("{\n}\n"), made);
  EXPECT_EQ(Set("{}\n"), made);
  EXPECT_EQ(Set("{\n  \"mcpServers\": {}\n}\n"), made);
}

TEST(JsoncEdit, LeavesCommentsOrderAndSpacingAlone) {
  const std::string before =
      "// mine\n{\n\t\"b\" : 1, /* two */ \"a\": [1,\n2],\n\t\"mcpServers\": {\n\t\t\"other\": "
      "{\"k\":\"//\"} // keep\n\t}\n}\n";
  const std::string after = Set(before);
  EXPECT_EQ(after,
            "// mine\n{\n\t\"b\" : 1, /* two */ \"a\": [1,\n2],\n\t\"mcpServers\": {\n\t\t\"other\": "
            "{\"k\":\"//\"},\n"
            "\t\t\"ours\": {\n\t\t  \"command\": \"x\"\n\t\t} // keep\n\t}\n}\n");
  EXPECT_EQ(Removed(after), before);
}

TEST(JsoncEdit, KeepsATrailingCommaATrailingComma) {
  const std::string before = "{\n  \"mcpServers\": {\n    \"a\": 1,\n  },\n}";
  const std::string after = Set(before);
  EXPECT_EQ(
      after,
      "{\n  \"mcpServers\": {\n    \"a\": 1,\n    \"ours\": {\n      \"command\": \"x\"\n    }\n  },\n}");
  EXPECT_TRUE(SetJsoncMember(after, kPath, Json(2)).has_value());
}

TEST(JsoncEdit, AddsToAnObjectOnOneLine) {
  EXPECT_EQ(Set("{\"mcpServers\": {\"a\": 1}}"),
            "{\"mcpServers\": {\"a\": 1,\n  \"ours\": {\n    \"command\": \"x\"\n  }\n}}");
}

TEST(JsoncEdit, ReplacesOnlyTheValueAndOnlyWhenItDiffers) {
  const std::string same = "{\"mcpServers\":{\"ours\":{ \"command\" : \"x\" }}}";
  EXPECT_EQ(Set(same), same);
  EXPECT_EQ(Set("{\"mcpServers\":{\"ours\":7,\"z\":1}}"),
            "{\"mcpServers\":{\"ours\":{\n  \"command\": \"x\"\n},\"z\":1}}");
}

TEST(JsoncEdit, RemovesTheMemberWithOneComma) {
  EXPECT_EQ(Removed(R"({"mcpServers":{"ours":1,"b":2}})"), R"({"mcpServers":{"b":2}})");
  EXPECT_EQ(Removed(R"({"mcpServers":{"b":2, "ours":1}})"), R"({"mcpServers":{"b":2}})");
  EXPECT_EQ(Removed(R"({"mcpServers":{"b":2,"ours":1,}})"), R"({"mcpServers":{"b":2,}})");
  EXPECT_EQ(Removed(R"({"mcpServers":{"a":1,"ours":{"x":[1]},"b":2}})"), R"({"mcpServers":{"a":1,"b":2}})");
  EXPECT_EQ(Removed(R"({"mcpServers":{"ours":1}})"), R"({"mcpServers":{}})");
  EXPECT_EQ(Removed(R"({"other":1})"), R"({"other":1})");
  EXPECT_EQ(Removed(""), "");
}

TEST(JsoncEdit, RefusesWhatItCannotReadAndSaysWhere) {
  EXPECT_EQ(Set("{\n \"a\": \n}"), "error: line 3: expected a value");
  EXPECT_EQ(Set("[]"), "error: line 1: expected an object");
  EXPECT_EQ(Set("{} x"), "error: line 1: expected the end of the file");
  EXPECT_EQ(Set("{\"a\":1 \"b\":2}"), "error: line 1: expected ',' or '}'");
  EXPECT_EQ(Set("{\"a\":\"\n\"}"), "error: line 1: expected the end of this string");
  EXPECT_EQ(Set("{ /* "), "error: line 1: expected the end of this comment");
  EXPECT_EQ(Set("{\"mcpServers\":[]}"), "error: \"mcpServers\" is not an object");
  EXPECT_EQ(Set("{\"a\":1,\"a\":2}"), "error: line 1: expected another key, since \"a\" is already there");
  EXPECT_EQ(Set("{\"a\":" + std::string(1000, '[')), "error: line 1: expected less nesting");
  EXPECT_EQ(Set("{\"a\":\"\\"), "error: line 1: expected the end of this string");
}

}  // namespace
}  // namespace helix::mcp
