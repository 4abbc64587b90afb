// What an agent sees of the tools: kept as files, so that a change of it shows in a review, and held to rules
// that the narrowest clients set.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "core/base/json_fields.h"
#include "mcp/cli/tool_table.h"
#include "mcp/jobs/job_runner.h"
#include "mcp/protocol/tool_adapter.h"
#include "mcp/serve/instructions.h"
#include "mcp/serve/product_catalog.h"
#include "mcp/serve/prompts.h"
#include "tests/support/paths.h"

namespace helix::mcp {
namespace {

namespace fs = std::filesystem;

std::string TextOf(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The listings that tools/list answers, in its order.
std::vector<Json> Listings() {
  Settings settings;
  settings.report_dir = testing_support::ScratchDir();
  const Catalog catalog = ProductCatalog(AllTools, settings, nullptr);
  std::vector<Json> listings;
  for (const auto& tool : catalog.Tools()) listings.push_back(tool.listing);
  return listings;
}

std::set<std::string> Names() {
  std::set<std::string> names;
  for (const auto& tool : AllTools()) names.insert(tool.name);
  return names;
}

bool Updating() {
  const char* value = std::getenv("HELIX_UPDATE_SNAPSHOTS");
  return value != nullptr && std::string(value) == "1";
}

TEST(ToolList, IsWhatTheSnapshotsShow) {
  std::set<std::string> seen;
  for (const auto& listing : Listings()) {
    const std::string file = StringAt(listing, "name").value_or("") + ".json";
    const std::string path = testing_support::TestData("tools/" + file);
    const std::string shown = DumpPretty(listing) + "\n";
    if (Updating()) std::ofstream(path) << shown;
    EXPECT_EQ(TextOf(path), shown) << "HELIX_UPDATE_SNAPSHOTS=1 writes " << path << " anew";
    seen.insert(file);
  }
  for (const auto& entry : fs::directory_iterator(testing_support::TestData("tools"))) {
    EXPECT_EQ(seen.count(entry.path().filename().string()), 1U) << entry.path() << " belongs to no tool";
  }
}

// Every rule of a schema at `at` and below.
void LintSchema(const Json& schema, const std::string& at) {
  // The one form that is allowed: a type, or null. Not at the root: its type is looked at below.
  if (const Json* either = Find(schema, "anyOf")) {
    EXPECT_EQ(either->size(), 2U) << at;
    EXPECT_EQ(StringAt((*either)[1], "type"), "null") << at;
    return LintSchema((*either)[0], at);
  }
  for (const char* word : {"oneOf", "allOf", "not", "if", "$ref", "$defs"}) {
    EXPECT_FALSE(schema.contains(word)) << at << " uses " << word;
  }
  const Json* type = Find(schema, "type");
  EXPECT_TRUE(type == nullptr || type->is_string()) << at << " has a list of types";
  const Json* properties = Find(schema, "properties");
  const Json* required = Find(schema, "required");
  if (required != nullptr) {
    for (const auto& name : *required) {
      EXPECT_TRUE(properties != nullptr && properties->contains(name.get<std::string>()))
          << at << ": " << name;
    }
  }
  if (properties == nullptr) return;
  for (const auto& [name, property] : properties->items()) LintSchema(property, at + "/" + name);
}

TEST(ToolList, HasSchemasThatEveryClientReads) {
  for (const auto& listing : Listings()) {
    const std::string name = StringAt(listing, "name").value_or("");
    for (const char* which : {"inputSchema", "outputSchema"}) {
      const Json* schema = Find(listing, which);
      ASSERT_NE(schema, nullptr) << name;
      EXPECT_EQ(StringAt(*schema, "type"), "object") << name << " " << which;
      LintSchema(*schema, name + "/" + which);
    }
  }
}

TEST(ToolList, NamesAndDescribesEveryToolAndArgument) {
  std::set<std::string> subcommands;
  for (const auto& tool : AllTools()) {
    EXPECT_TRUE(std::regex_match(tool.name, std::regex("[a-z][a-z_]{2,40}"))) << tool.name;
    EXPECT_TRUE(subcommands.insert(tool.subcommand).second) << tool.subcommand << " stands twice";
    EXPECT_FALSE(tool.title.empty()) << tool.name;
    EXPECT_EQ(tool.description.rfind("Use ", 0), 0U) << tool.name << " must say first when to use it";
    EXPECT_LE(tool.description.size(), 1024U) << tool.name;
    for (const auto& [name, property] : tool.input_schema["properties"].items()) {
      EXPECT_TRUE(property.contains("type")) << tool.name << "/" << name;
      EXPECT_FALSE(StringAt(property, "description").value_or("").empty()) << tool.name << "/" << name;
    }
  }
  EXPECT_EQ(Names().size(), AllTools().size());
}

TEST(ToolList, HasAVerdictWhereSomethingIsJudged) {
  // These two read and transform; they judge nothing.
  const std::set<std::string> without{"read_usage", "compress_prompt"};
  for (const auto& tool : AllTools()) {
    EXPECT_EQ(PublishedOutputSchema(tool)["properties"].contains("verdict"), without.count(tool.name) == 0)
        << tool.name;
  }
}

TEST(ToolList, IsTheTableInTheReadme) {
  const std::string begin = "<!-- tools:begin -->\n";
  const fs::path path = fs::path(testing_support::SourceDir()) / "README.md";
  std::string text = TextOf(path);
  const auto from = text.find(begin);
  const auto to = text.find("<!-- tools:end -->");
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to);
  const auto start = from + begin.size();
  const std::string table = ToolTableMarkdown(AllTools());
  if (Updating()) std::ofstream(path) << text.replace(start, to - start, table);
  const std::string now = TextOf(path);
  EXPECT_EQ(now.substr(start, now.find("<!-- tools:end -->") - start), table)
      << "HELIX_UPDATE_SNAPSHOTS=1 writes the table anew";
}

// Words of `text` that are built like a tool's name: a verb that a tool starts with, then more words.
std::set<std::string> ToolWords(const std::string& text) {
  static const std::regex word(
      "\\b(run|bench|check|analyze|verify|read|compress|probe|diagnose|get|cancel)(_[a-z]+)+\\b");
  std::set<std::string> words;
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) words.insert(it->str());
  return words;
}

void ExpectTools(const std::string& text, const std::string& where) {
  for (const auto& word : ToolWords(text)) EXPECT_EQ(Names().count(word), 1U) << where << " names " << word;
}

TEST(ToolList, HasEveryToolThatSkillsAgentsAndCommandsName) {
  std::size_t named = 0;
  for (const char* folder : {"skills", "agents", "commands"}) {
    const fs::path root = fs::path(testing_support::SourceDir()) / folder;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = TextOf(entry.path());
      named += ToolWords(text).size();
      ExpectTools(text, entry.path().string());
    }
  }
  EXPECT_GT(named, 5U);
}

TEST(ToolList, HasEveryToolThatInstructionsAndPromptsName) {
  EXPECT_GT(ToolWords(Instructions()).size(), 5U);
  ExpectTools(Instructions(), "the instructions");
  for (const auto& prompt : ProductPrompts()) {
    Call call;
    call.arguments = Json::object();
    const auto made = prompt.get(call);
    ASSERT_TRUE(made.has_value());
    ExpectTools(made->dump(), prompt.listing.dump());
  }
}

}  // namespace
}  // namespace helix::mcp
