// The files that coding agents read: instructions in lockstep, definitions with their front matter.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>

#include "core/base/file.h"
#include "tests/repo/repo_files.h"
#include "tests/support/paths.h"

namespace helix::repo {
namespace {

std::string Text(const std::string& path) {
  const auto text = ReadFile(testing_support::SourceDir() + "/" + path);
  return text ? *text : path + " cannot be read";
}

TEST(AgentInstructions, AreTheSameForEveryClient) {
  const std::string source = Text("CLAUDE.md");
  for (const char* copy : {"AGENTS.md", "QWEN.md", "GEMINI.md"}) {
    EXPECT_EQ(Text(copy), source) << copy << ": run scripts/sync-agent-docs";
  }
}

TEST(Documentation, EveryPageIsInItsIndex) {
  const std::string script = testing_support::SourceDir() + "/scripts/docs-index --check 2>/dev/null";
  EXPECT_EQ(std::system(script.c_str()), 0) << "run scripts/docs-index";
}

TEST(AgentInstructions, NameOnlyScriptsThatExist) {
  static const std::regex script(R"(`((?:scripts|\.ci)/[a-z-]+))");
  const std::string text = Text("CLAUDE.md");
  int seen = 0;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), script); it != std::sregex_iterator();
       ++it, ++seen) {
    EXPECT_TRUE(std::filesystem::exists(testing_support::SourceDir() + "/" + (*it)[1].str())) << (*it)[1];
  }
  EXPECT_GT(seen, 3);
}

}  // namespace
}  // namespace helix::repo
