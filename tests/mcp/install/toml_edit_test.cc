#include "mcp/install/toml_edit.h"

#include <gtest/gtest.h>

namespace helix::mcp {
namespace {

const std::string kTable = "[mcp_servers.our-name]\ncommand = \"x\"\n";

std::string Set(const std::string& text) {
  auto result = SetTomlTable(text, "mcp_servers", "our-name", "command = \"x\"\n");
  return result ? *result : "error: " + result.error().message;
}

std::string Removed(const std::string& text) {
  auto result = RemoveTomlTable(text, "mcp_servers", "our-name");
  return result ? *result : "error: " + result.error().message;
}

TEST(TomlEdit, AppendsTheTableAndTakesItOutAgain) {
  const std::string before = "# mine\nmodel = \"m\"  # why\n\n[mcp_servers.other]\ncommand = \"o\"\n";
  EXPECT_EQ(Set(""), kTable);
  EXPECT_EQ(Set(before), before + "\n" + kTable);
  EXPECT_EQ(Removed(Set(before)), before);
}

TEST(TomlEdit, ReplacesTheTableWithItsSubTablesWhereItIs) {
  const std::string before =
      "a = 1\n[mcp_servers.\"our-name\"]\ncommand = \"old\"\n[mcp_servers.our-name.env]\nK = \"v\"\n\n# of "
      "b\n[b]\nc = 2\n";
  EXPECT_EQ(Set(before), "a = 1\n" + kTable + "\n# of b\n[b]\nc = 2\n");
  EXPECT_EQ(Removed(before), "a = 1\n\n# of b\n[b]\nc = 2\n");
}

TEST(TomlEdit, ChangesNothingWhenTheTableIsThere) {
  const std::string before = "x = 1\n" + kTable + "[z]\n";
  EXPECT_EQ(Set(before), before);
  EXPECT_EQ(Removed("x = 1\n"), "x = 1\n");
}

TEST(TomlEdit, ALongerNameIsAnotherTable) {
  const std::string before = "[mcp_servers.our-name-2]\ncommand = \"o\"\n";
  EXPECT_EQ(Removed(before), before);
  EXPECT_EQ(Set(before), before + "\n" + kTable);
}

TEST(TomlEdit, ABracketInAMultiLineStringIsText) {
  const std::string before = "note = \"\"\"\n[mcp_servers.our-name]\n\"\"\"\n";
  EXPECT_EQ(Removed(before), before);
}

TEST(TomlEdit, RefusesInlineForms) {
  EXPECT_EQ(Set("mcp_servers = { our-name = {} }\n"),
            "error: \"mcp_servers = { our-name = {} }\" is written inline");
  EXPECT_EQ(Set("mcp_servers.our-name.command = \"y\"\n"),
            "error: \"mcp_servers.our-name.command = \"y\"\" is written inline");
  EXPECT_EQ(Set("[mcp_servers]\nour-name = { command = \"y\" }\n"),
            "error: \"our-name = { command = \"y\" }\" is written inline");
}

}  // namespace
}  // namespace helix::mcp
