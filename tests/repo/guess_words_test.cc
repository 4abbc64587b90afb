// No guess word in anything the program can print: a cause is a fact with its evidence, or UNCONFIRMED.
#include <gtest/gtest.h>

#include <regex>

#include "tests/repo/repo_files.h"
#include "tests/repo/string_literals.h"

namespace helix::repo {
namespace {

const std::regex& GuessWord() {
  static const std::regex words(
      R"(\b(likely|unlikely|probably|presumably|seems?|seemingly|maybe|might|perhaps)\b)", std::regex::icase);
  return words;
}

std::string Found(const RepoFile& file) {
  std::string found;
  if (!MentionsAny(file.text, {"likely", "probably", "presumably", "seem", "maybe", "might", "perhaps"}))
    return found;
  for (const auto& literal : StringLiterals(file.text)) {
    if (!std::regex_search(literal.text, GuessWord())) continue;
    found += file.path + ":" + std::to_string(literal.line) + ": " + literal.text + "\n";
  }
  return found;
}

// Files whose strings are data about such words, not words of ours. Each with its reason.
bool IsWordList(const RepoFile& file) {
  return file.In("core/levers");  // filler words that the concise-output lever takes out of a user's text
}

TEST(GuessWords, AreInNoStringOfTheProduct) {
  std::string found;
  for (const auto& file : ProductSources()) {
    if (!IsWordList(file)) found += Found(file);
  }
  EXPECT_EQ(found, "") << "say what was measured, or UNCONFIRMED";
}

TEST(GuessWords, AreFoundWhereTheyAre) {
  EXPECT_EQ(Found({"a.cc", "f(\"This is Likely a hit\");  // probably"}), "a.cc:1: This is Likely a hit\n");
  EXPECT_EQ(Found({"a.cc", "f(\"mighty seem_x unlike\");"}), "");
}

}  // namespace
}  // namespace helix::repo
