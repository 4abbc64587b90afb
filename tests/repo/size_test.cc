// Files stay small enough to read in one sitting; one that is larger has its reason here.
#include <gtest/gtest.h>

#include <map>

#include "tests/repo/repo_files.h"

namespace helix::repo {
namespace {

constexpr std::size_t kMaxLines = 300;
constexpr std::size_t kMaxTestLines = 400;  // a table of cases is read row by row
constexpr std::size_t kMaxColumns = 120;
constexpr std::size_t kMaxRepositoryFileBytes = 1 << 20;

const std::map<std::string, std::string>& Reasons() {
  static const std::map<std::string, std::string> reasons = {};
  return reasons;
}

TEST(Size, SourceFilesAreShortOrHaveTheirReason) {
  for (const auto& file : Files("", {".h", ".cc"})) {
    const auto lines = Lines(file.text).size();
    if (Reasons().contains(file.path)) continue;
    EXPECT_LE(lines, file.In("tests") ? kMaxTestLines : kMaxLines) << file.path << ": split it by concept";
  }
}

TEST(Size, ReasonsAreForFilesThatNeedThem) {
  for (const auto& file : Files("", {".h", ".cc"})) {
    if (!Reasons().contains(file.path)) continue;
    EXPECT_GT(Lines(file.text).size(), file.In("tests") ? kMaxTestLines : kMaxLines) << file.path;
  }
}

TEST(Size, SourceLinesFitAScreen) {
  for (const auto& file : ProductSources()) {
    // Raw texts as a client sees them: their lines are not ours to break.
    if (file.path == "mcp/serve/instructions.cc" || file.In("mcp/conformance")) continue;
    const auto lines = Lines(file.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_LE(lines[i].size(), kMaxColumns) << file.path << ":" << i + 1 << ": run clang-format";
    }
  }
}

TEST(Size, NoLargeFileIsKeptInTheRepository) {
  for (const auto& file : Files("", {""})) EXPECT_LE(file.text.size(), kMaxRepositoryFileBytes) << file.path;
}

}  // namespace
}  // namespace helix::repo
