// The repository is a plugin for four clients: their manifests agree, and what they name is there.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "tests/repo/repo_files.h"
#include "tests/support/paths.h"

namespace helix::repo {
namespace {

namespace fs = std::filesystem;

std::string Root() {
  return testing_support::SourceDir();
}

Json Manifest(const std::string& path) {
  const auto json = ReadJsonFile(Root() + "/" + path);
  EXPECT_TRUE(json.has_value()) << path << ": " << (json ? "" : json.error().Text());
  return json ? *json : Json::object();
}

// The value of `key` in a document's front matter; empty when the document has none.
std::string FrontMatter(const RepoFile& file, const std::string& key) {
  const auto lines = Lines(file.text);
  if (lines.empty() || lines[0] != "---") return "";
  for (std::size_t i = 1; i < lines.size() && lines[i] != "---"; ++i) {
    if (lines[i].rfind(key + ": ", 0) == 0) return lines[i].substr(key.size() + 2);
  }
  return "";
}

TEST(PluginFiles, CarryTheProjectsNameAndVersion) {
  for (const char* path : {".claude-plugin/plugin.json", ".codex-plugin/plugin.json", "gemini-extension.json",
                           "qwen-extension.json", "packaging/mcpb/manifest.json"}) {
    const Json manifest = Manifest(path);
    EXPECT_EQ(StringAt(manifest, "name"), "helix-perf-cache") << path;
    EXPECT_EQ(StringAt(manifest, "version"), HELIX_VERSION) << path;
  }
  EXPECT_EQ(StringAt(Manifest("server.json"), "version"), HELIX_VERSION);
  const Json marketplace = Manifest(".claude-plugin/marketplace.json");
  const Json* listed = Find(marketplace, "plugins");
  ASSERT_NE(listed, nullptr);
  EXPECT_EQ(StringAt((*listed)[0], "version"), HELIX_VERSION);
}

// The rules of the MCP registry's server.schema.json of 2025-12-11 for what the file uses.
TEST(PluginFiles, DescribeTheServerAsTheRegistryWantsIt) {
  const Json server = Manifest("server.json");
  const auto name = StringAt(server, "name").value_or("");
  EXPECT_TRUE(std::regex_match(name, std::regex("[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+"))) << name;
  EXPECT_LE(name.size(), 200U);
  for (const char* key : {"title", "description"}) {
    const auto text = StringAt(server, key).value_or("");
    EXPECT_TRUE(!text.empty() && text.size() <= 100) << key << " has " << text.size() << " characters";
  }
  EXPECT_TRUE(std::regex_match(StringAt(server, "version").value_or(""),
                               std::regex("\\d+\\.\\d+\\.\\d+(-[a-z0-9.]+)?")));
  EXPECT_EQ(StringAt(server, "repository/source"), "github");
  EXPECT_EQ(StringAt(server, "repository/url").value_or("").rfind("https://", 0), 0U);
  const std::set<std::string> known{"$schema", "name", "title", "description", "version", "repository"};
  for (const auto& [key, value] : server.items())
    EXPECT_EQ(known.count(key), 1U) << key << " is not checked here";
}

TEST(PluginFiles, StartTheServerThroughTheLauncher) {
  for (const char* path : {".claude-plugin/plugin.json", ".codex-plugin/mcp.json", "gemini-extension.json",
                           "qwen-extension.json"}) {
    const auto command = StringAt(Manifest(path), "mcpServers/helix-perf-cache/command");
    ASSERT_TRUE(command) << path;
    EXPECT_TRUE(command->ends_with("helix-perf-cache-launcher")) << path << ": " << *command;
  }
  const auto mode = fs::status(Root() + "/bin/helix-perf-cache-launcher").permissions();
  EXPECT_NE(mode & fs::perms::owner_exec, fs::perms::none);
}

// Codex passes a server only what is named; as a plugin it must reach the same settings as when registered.
TEST(PluginFiles, NameToCodexTheVariablesThatItsRegistrationNames) {
  const Json manifest = Manifest(".codex-plugin/mcp.json");
  const Json* named = FindPath(manifest, "mcpServers/helix-perf-cache/env_vars");
  ASSERT_NE(named, nullptr);
  EXPECT_FALSE(named->empty());
  const auto table = ReadFile(Root() + "/agents/codex/config.toml");
  ASSERT_TRUE(table);
  EXPECT_NE(table->find("env_vars = " + DumpJson(*named)), std::string::npos) << DumpJson(*named);
}

TEST(PluginFiles, GiveClientsNoneOfTheProjectsOwnInstructions) {
  for (const char* path : {"gemini-extension.json", "qwen-extension.json"}) {
    const Json manifest = Manifest(path);
    const Json* context = Find(manifest, "contextFileName");
    ASSERT_NE(context, nullptr) << path;
    for (const auto& name : *context)
      EXPECT_FALSE(fs::exists(Root() + "/" + name.get<std::string>())) << path;
  }
}

TEST(PluginFiles, SkillsHaveANameAndSayWhenToUseThem) {
  int skills = 0;
  for (const auto& file : Files("skills", {"SKILL.md"})) {
    ++skills;
    const std::string folder = fs::path(file.path).parent_path().filename().string();
    EXPECT_EQ(FrontMatter(file, "name"), folder) << file.path;
    const std::string description = FrontMatter(file, "description");
    EXPECT_NE(description.find("Use "), std::string::npos) << file.path;
    EXPECT_LE(description.size(), 1024U) << file.path;
  }
  EXPECT_EQ(skills, 4);
}

TEST(PluginFiles, EveryMarkdownUnderAgentsIsASubagent) {
  int agents = 0;
  for (const auto& file : Files("agents", {".md"})) {
    ++agents;
    EXPECT_NE(FrontMatter(file, "name"), "") << file.path;
    EXPECT_NE(FrontMatter(file, "description"), "") << file.path;
  }
  EXPECT_GE(agents, 1);
}

TEST(PluginFiles, ClientConfigurationsAreWellFormed) {
  for (const auto& file : Files("agents", {".json"})) {
    EXPECT_TRUE(ParseStrict(file.text).has_value()) << file.path;
    EXPECT_NE(file.text.find("helix-perf-cache"), std::string::npos) << file.path;
  }
}

TEST(PluginFiles, CommandsAreThereInBothForms) {
  std::set<std::string> markdown;
  std::set<std::string> toml;
  for (const auto& file : Files("commands", {".md"})) markdown.insert(fs::path(file.path).stem().string());
  for (const auto& file : Files("commands", {".toml"})) toml.insert(fs::path(file.path).stem().string());
  EXPECT_EQ(markdown, toml);
  EXPECT_EQ(markdown, (std::set<std::string>{"bench", "selfcheck"}));
  for (const auto& file : Files(".qwen-plugin/commands", {".md"})) {
    markdown.erase(fs::path(file.path).stem().string());
  }
  EXPECT_TRUE(markdown.empty()) << "a command that Qwen Code does not get";
}

}  // namespace
}  // namespace helix::repo
