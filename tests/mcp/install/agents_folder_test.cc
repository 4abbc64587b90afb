// The configuration files under agents/ are what install writes, for people who copy by hand.
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "mcp/install/settings_file.h"
#include "tests/support/paths.h"

namespace helix::mcp {
namespace {

const ServerAddress kCommand{"helix-perf-cache", ""};
const ServerAddress kHttp{"", "http://127.0.0.1:18446/mcp"};

std::string Text(const std::string& file) {
  return ReadFile(testing_support::SourceDir() + "/agents/" + file).value_or("");
}

void ExpectSameJson(const std::string& file, const std::string& client, const ServerAddress& to) {
  const Client* known = FindClient(client);
  ASSERT_NE(known, nullptr);
  const auto json = ParseStrict(Text(file));
  ASSERT_TRUE(json.has_value()) << file;
  const Json* entry = FindPath(*json, known->section + "/" + kServerName);
  ASSERT_NE(entry, nullptr) << file;
  EXPECT_EQ(DumpJson(*entry), DumpJson(known->entry(to))) << file;
}

TEST(AgentsFolder, HoldsTheJsonThatInstallWrites) {
  ExpectSameJson("claude-code/mcp.json", "claude-code", kCommand);
  ExpectSameJson("claude-code/mcp-http.json", "claude-code", kHttp);
  ExpectSameJson("qwen-code/settings.json", "qwen-code", kCommand);
  ExpectSameJson("gemini-cli/settings.json", "gemini-cli", kCommand);
  ExpectSameJson("opencode/opencode.json", "opencode", kCommand);
  ExpectSameJson("opencode/opencode-http.json", "opencode", kHttp);
  ExpectSameJson("crush/crush.json", "crush", kCommand);
  ExpectSameJson("helixagent/mcp-servers.json", "helixagent", kCommand);
}

// Registering again in such a file changes nothing.
TEST(AgentsFolder, HoldsTheTomlAndYamlThatInstallWrites) {
  for (const auto& [file, client, to] : {std::tuple{"codex/config.toml", "codex", kCommand},
                                         std::tuple{"codex/config-http.toml", "codex", kHttp},
                                         std::tuple{"helixcode/mcp.yml", "helixcode", kCommand}}) {
    const std::string text = Text(file);
    ASSERT_NE(text, "") << file;
    EXPECT_EQ(WithServer(text, *FindClient(client), to).value_or("refused"), text);
  }
}

}  // namespace
}  // namespace helix::mcp
