#include "mcp/install/yaml_edit.h"

#include <gtest/gtest.h>

namespace helix::mcp {
namespace {

std::string Set(const std::string& text) {
  auto result = SetYamlServer(text, "ours", {"transport: stdio", "readOnly: true"});
  return result ? *result : "error: " + result.error().message;
}

std::string Removed(const std::string& text) {
  auto result = RemoveYamlServer(text, "ours");
  return result ? *result : "error: " + result.error().message;
}

const std::string kItem = "  - name: ours\n    transport: stdio\n    readOnly: true\n";

TEST(YamlEdit, MakesTheList) {
  EXPECT_EQ(Set(""), "servers:\n" + kItem);
  EXPECT_EQ(Set("a: 1\n"), "a: 1\nservers:\n" + kItem);
  EXPECT_EQ(Set("servers: []  # none yet\nb: 2\n"), "servers:\n" + kItem + "b: 2\n");
}

TEST(YamlEdit, AppendsAndRemovesBetweenWhatIsThere) {
  const std::string before =
      "# mine\nservers:\n  # first\n  - name: other\n    env:\n      A: b\n\n# after\nz: 1\n";
  const std::string after = Set(before);
  EXPECT_EQ(after, "# mine\nservers:\n  # first\n  - name: other\n    env:\n      A: b\n" + kItem +
                       "\n# after\nz: 1\n");
  EXPECT_EQ(Removed(after), before);
}

TEST(YamlEdit, KeepsTheListsOwnIndentation) {
  EXPECT_EQ(Set("servers:\n- name: other\n  url: u\n"),
            "servers:\n- name: other\n  url: u\n- name: ours\n  transport: stdio\n  readOnly: true\n");
}

TEST(YamlEdit, ReplacesTheItemWhereverItsNameStands) {
  EXPECT_EQ(Set("servers:\n  - transport: http\n    name: \"ours\"  # us\n  - name: b\n"),
            "servers:\n" + kItem + "  - name: b\n");
  EXPECT_EQ(Set("servers:\n" + kItem), "servers:\n" + kItem);
}

TEST(YamlEdit, TheLastItemLeavesAnEmptyList) {
  EXPECT_EQ(Removed("servers:\n" + kItem + "z: 1\n"), "servers: []\nz: 1\n");
  EXPECT_EQ(Removed("z: 1\n"), "z: 1\n");
}

TEST(YamlEdit, RefusesFlowStyle) {
  EXPECT_EQ(Set("servers: [{name: b}]\n"),
            "error: \"servers:\" is not a list of lines that start with a dash");
}

}  // namespace
}  // namespace helix::mcp
