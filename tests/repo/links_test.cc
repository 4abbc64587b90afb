// Every relative link of every document leads to a file, and its fragment to a heading.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

#include "core/base/file.h"
#include "tests/repo/repo_files.h"
#include "tests/support/paths.h"

namespace helix::repo {
namespace {

namespace fs = std::filesystem;

// The anchor that GitHub makes from a heading.
std::string Slug(const std::string& heading) {
  std::string slug;
  for (char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') {
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c == ' ') {
      slug += '-';
    }
  }
  return slug;
}

// The document's lines without fenced blocks, where brackets are code.
std::vector<std::string> ProseLines(const std::string& text) {
  std::vector<std::string> prose;
  bool fenced = false;
  for (const auto& line : Lines(text)) {
    if (line.find("```") != std::string::npos) fenced = !fenced;
    if (!fenced) prose.push_back(line);
  }
  return prose;
}

bool HasHeading(const std::string& text, const std::string& anchor) {
  const auto lines = ProseLines(text);
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    const auto start = line.find_first_not_of('#');
    return start != 0 && start != std::string::npos && line[start] == ' ' &&
           Slug(line.substr(start + 1)) == anchor;
  });
}

std::string Problem(const RepoFile& file, const std::string& target) {
  const auto hash = target.find('#');
  const std::string path = target.substr(0, hash);
  const fs::path root = testing_support::SourceDir();
  const fs::path beside = fs::path(file.path).parent_path();
  const fs::path to = root / (path.empty() ? fs::path(file.path) : beside / path).lexically_normal();
  if (!fs::exists(to)) return file.path + ": " + target + " does not exist\n";
  if (hash == std::string::npos) return "";
  const auto text = path.empty() ? Result<std::string>(file.text) : ReadFile(to.string());
  const bool found = text && HasHeading(*text, target.substr(hash + 1));
  return found ? "" : file.path + ": " + target + " has no such heading\n";
}

std::string Problems(const RepoFile& file) {
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  std::string problems;
  for (const auto& line : ProseLines(file.text)) {
    for (auto it = std::sregex_iterator(line.begin(), line.end(), link); it != std::sregex_iterator(); ++it) {
      const std::string target = (*it)[1];
      if (target.find("://") == std::string::npos && target.rfind("mailto:", 0) != 0)
        problems += Problem(file, target);
    }
  }
  return problems;
}

TEST(Links, LeadSomewhere) {
  std::string problems;
  for (const auto& file : Files("", {".md"})) problems += Problems(file);
  EXPECT_EQ(problems, "");
}

TEST(Links, ABrokenOneIsSeen) {
  EXPECT_EQ(
      Problems({"docs/x.md", "see [a](gone.md) and [b](../CLAUDE.md#commands)\n```\n[c](gone.md)\n```\n"}),
      "docs/x.md: gone.md does not exist\n");
  EXPECT_EQ(Problems({"x.md", "[b](CLAUDE.md#no-such-part)"}),
            "x.md: CLAUDE.md#no-such-part has no such heading\n");
}

}  // namespace
}  // namespace helix::repo
