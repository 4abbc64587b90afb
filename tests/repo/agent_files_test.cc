// The files that coding agents read: instructions in lockstep, definitions with their front matter.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace helix::repo
