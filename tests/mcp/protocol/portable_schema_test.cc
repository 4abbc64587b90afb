#include "mcp/protocol/portable_schema.h"

#include <gtest/gtest.h>

namespace helix::mcp {
namespace {

Json Portable(const char* schema) {
  return PortableSchema(*ParseJson(schema));
}

TEST(PortableSchema, MakesANullableTypeOneOfTwo) {
  const Json schema = Portable(
      R"({"type":"object","properties":{"ms":{"type":["number","null"],"minimum":0,"description":"Time"}}})");
  EXPECT_EQ(DumpJson(schema["properties"]["ms"]),
            R"({"description":"Time","anyOf":[{"type":"number","minimum":0},{"type":"null"}]})");
}

TEST(PortableSchema, NamesTheFirstOfOtherTypes) {
  EXPECT_EQ(DumpJson(Portable(R"({"type":["object","array"]})")), R"({"type":"object"})");
}

TEST(PortableSchema, LooksInsideListsAndObjects) {
  const Json schema =
      Portable(R"({"type":"array","items":{"type":"object","properties":{"a":{"type":["string","null"]}}}})");
  EXPECT_EQ(DumpJson(schema["items"]["properties"]["a"]), R"({"anyOf":[{"type":"string"},{"type":"null"}]})");
}

TEST(PortableSchema, LeavesEverythingElseAlone) {
  const char* text =
      R"({"type":"object","properties":{"type":{"type":"string","enum":["a"]},"n":{"type":"integer","minimum":1}},"required":["n"]})";
  EXPECT_EQ(Portable(text), *ParseJson(text)) << "also a property that is called type";
}

}  // namespace
}  // namespace helix::mcp
