// docs/configuration.md names every variable of ours that the product reads, and no other.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "core/base/file.h"
#include "tests/repo/repo_files.h"
#include "tests/support/paths.h"

namespace helix::repo {
namespace {

std::set<std::string> Matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> out;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) out.insert((*at)[1]);
  return out;
}

TEST(ConfigurationPage, NamesTheVariablesThatAreReadAndNoOther) {
  std::set<std::string> read;
  for (const auto& file : ProductSources()) read.merge(Matches(file.text, R"re(env\("(HELIX_[A-Z_]+)"\))re"));
  const auto page = ReadFile(testing_support::SourceDir() + "/docs/configuration.md");
  ASSERT_TRUE(page) << page.error().Text();
  EXPECT_GT(read.size(), 10U);
  EXPECT_EQ(Matches(*page, "`(HELIX_[A-Z_]+)`"), read);
}

}  // namespace
}  // namespace helix::repo
