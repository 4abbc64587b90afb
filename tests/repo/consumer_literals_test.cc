// The harness knows no consumer: ports, paths and model names of whoever uses it come from configuration.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/repo/repo_files.h"
#include "tests/repo/string_literals.h"

namespace helix::repo {
namespace {

const std::regex& ConsumerLiteral() {
  static const std::regex pattern(
      R"(\b(1843[4-9]|1844[0-6]|1845[01]|8443|7061|345[678]|7456)\b)"  // ports that Helix services listen on
      R"(|/(home|Users|root|work|mnt)/[A-Za-z])"                       // folders of one machine
      R"(|helixllm-|qwen[0-9.]+[-:]|claude-(opus|sonnet|haiku|[0-9])|gpt-[0-9]|gemini-[0-9]|deepseek-(chat|coder))",
      std::regex::icase);
  return pattern;
}

// Configuration defaults, and dated data about providers' models: the only places where such a name is right.
bool IsDefaultsOrData(const RepoFile& file) {
  static const std::set<std::string> files = {
      "core/base/settings.cc",             // defaults that an environment variable replaces
      "core/backend/provider_profile.cc",  // what each provider's models support, and default models
      "core/consistency/minimum_table.cc"  // shortest cacheable prefix per model, as providers document it
  };
  return files.contains(file.path) || file.In("core/cost");
}

std::string Found(const RepoFile& file) {
  std::string found;
  if (!MentionsAny(file.text, {"184", "8443", "7061", "345", "7456", "/home/", "/users/", "/root/", "/work/",
                               "/mnt/", "helixllm-", "qwen", "claude-", "gpt-", "gemini-", "deepseek-"})) {
    return found;
  }
  for (const auto& literal : StringLiterals(file.text)) {
    std::smatch match;
    if (!std::regex_search(literal.text, match, ConsumerLiteral())) continue;
    found += file.path + ":" + std::to_string(literal.line) + ": " + match.str() + "\n";
  }
  return found;
}

TEST(ConsumerLiterals, AreOnlyInConfigurationDefaults) {
  std::string found;
  for (const auto& file : ProductSources()) {
    if (!IsDefaultsOrData(file)) found += Found(file);
  }
  EXPECT_EQ(found, "") << "move the value to core/base/settings.cc or to dated data under core/cost";
}

// Put together here so that this file does not hold what it looks for.
const std::string kWorkshop = std::string("/wo") + "rk/";

TEST(ConsumerLiterals, NoFileNamesTheFolderItWasWrittenIn) {
  std::string found;
  for (const auto& file :
       Files("", {".cc", ".h", ".md", ".sh", ".mjs", ".json", ".jsonl", ".txt", ".cmake", ".yaml"})) {
    const auto at = file.text.find(kWorkshop);
    if (at != std::string::npos && !file.path.ends_with("consumer_literals_test.cc"))
      found += file.path + ": " + file.text.substr(at, 40) + "\n";
  }
  EXPECT_EQ(found, "") << "use a neutral path such as /srv/notes";
}

TEST(ConsumerLiterals, AreFoundWhereTheyAre) {
  EXPECT_EQ(Found({"a.cc", "connect(\"http://localhost:18434\"); // 18435"}), "a.cc:1: 18434\n");
  EXPECT_EQ(Found({"a.cc", "use(\"Qwen3-Coder\");\nuse(\"a qwen client\");"}), "a.cc:1: Qwen3-\n");
  EXPECT_EQ(Found({"a.cc", "open(\"/home/someone/x\");"}), "a.cc:1: /home/s\n");
}

}  // namespace
}  // namespace helix::repo
