#include "mcp/protocol/portable_schema.h"

#include <gtest/gtest.h>

#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

Json Portable(const char* schema) {
  return PortableSchema(*ParseJson(schema));
}

TEST(PortableSchema, PutsANullableTypeIntoWords) {
  const Json schema =
      Portable(R"({"type":"object","properties":{"ms":{"type":["number","null"],"description":"Time"}}})");
  EXPECT_EQ(DumpJson(schema["properties"]["ms"]), R"j({"description":"Time (a number or null)"})j");
  EXPECT_TRUE(CheckValue(schema, *ParseJson(R"({"ms":null})")).empty());
  EXPECT_TRUE(CheckValue(schema, *ParseJson(R"({"ms":1.5})")).empty());
}

TEST(PortableSchema, NamesTheFirstOfOtherTypes) {
  EXPECT_EQ(DumpJson(Portable(R"({"type":["object","array"]})")), R"({"type":"object"})");
}

TEST(PortableSchema, LooksInsideListsAndObjects) {
  const Json schema =
      Portable(R"({"type":"array","items":{"type":"object","properties":{"a":{"type":["string","null"]}}}})");
  EXPECT_EQ(DumpJson(schema["items"]["properties"]["a"]), R"({"description":"a string or null"})");
}

TEST(PortableSchema, LeavesEverythingElseAlone) {
  const char* text =
      R"({"type":"object","properties":{"type":{"type":"string","enum":["a"]},"n":{"type":"integer","minimum":1}},"required":["n"]})";
  EXPECT_EQ(Portable(text), *ParseJson(text)) << "also a property that is called type";
}

}  // namespace
}  // namespace helix::mcp
