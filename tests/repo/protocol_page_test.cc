// docs/protocol.md names the test behind each of its rows: a name that no test has is a promise that nothing
// keeps.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>

#include "tests/repo/repo_files.h"
#include "tests/support/paths.h"

namespace helix::repo {
namespace {

std::string TextOf(const std::string& path) {
  std::ifstream file(testing_support::SourceDir() + "/" + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> Matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    found.insert(it->size() > 2 ? (*it)[1].str() + "." + (*it)[2].str() : (*it)[1].str());
  }
  return found;
}

TEST(ProtocolPage, NamesUnitTestsThatExist) {
  std::string tests;
  for (const auto& file : Files("tests/mcp", {".cc"})) tests += file.text;
  const auto there = Matches(tests, R"(TEST(?:_F)?\((\w+), (\w+)\))");
  const auto named = Matches(TextOf("docs/protocol.md"), R"(`([A-Z]\w+)\.([A-Z]\w+)`)");
  EXPECT_GT(named.size(), 10U);
  for (const auto& name : named) EXPECT_EQ(there.count(name), 1U) << name;
}

TEST(ProtocolPage, NamesProcessTestsThatExist) {
  const std::string page = TextOf("docs/protocol.md");
  for (const char* program : {"stdio_process", "http_process"}) {
    const auto there = TextOf(std::string("tests/live/mcp/") + program + "_test.mjs");
    const auto cells = Matches(page, std::string("`") + program + "`: ([^|`]*)");
    EXPECT_GT(cells.size(), 8U);
    for (const auto& cell : cells) {
      for (auto name : Matches(cell + ";", "([^;(]+)[^;]*;")) {
        name = std::regex_replace(name, std::regex("^[ ,]+|[ ,]+$"), "");
        EXPECT_NE(there.find("'" + name), std::string::npos) << program << ": " << name;
      }
    }
  }
}

}  // namespace
}  // namespace helix::repo
