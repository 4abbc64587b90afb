#include "mcp/install/install.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "core/base/file.h"
#include "core/base/json.h"
#include "mcp/install/client.h"
#include "tests/support/paths.h"

namespace helix::mcp {
namespace {

namespace fs = std::filesystem;

struct Ran {
  int exit_code = 0;
  std::string out;
  std::string err;
};

class InstallTest : public testing::Test {
 protected:
  Ran Run(InstallOptions options) {
    if (options.command.empty()) options.command = "/opt/ours/helix-perf-cache";
    std::ostringstream out;
    std::ostringstream err;
    const EnvReader env = [this](const std::string& name) -> std::optional<std::string> {
      if (name == "HOME") return home_;
      return std::nullopt;
    };
    const int code = Install(options, env, out, err);
    return {code, out.str(), err.str()};
  }

  static InstallOptions For(const std::string& client) {
    InstallOptions options;
    options.client = client;
    return options;
  }

  [[nodiscard]] std::string Text(const std::string& path) const {
    return ReadFile(home_ + "/" + path).value_or("-");
  }
  void Write(const std::string& path, const std::string& text, unsigned mode = 0600) {
    ASSERT_TRUE(WriteFileAtomic(home_ + "/" + path, text, mode));
  }

  std::string home_ = testing_support::ScratchDir();
};

TEST_F(InstallTest, RegistersInAFileThatIsNotThereYetAndTakesItselfOut) {
  auto options = For("qwen-code");
  EXPECT_EQ(Run(options).exit_code, 0);
  EXPECT_NE(Text(".qwen/settings.json").find("/opt/ours/helix-perf-cache"), std::string::npos);
  options.uninstall = true;
  EXPECT_EQ(Run(options).exit_code, 0);
  EXPECT_EQ(ParseStrict(Text(".qwen/settings.json")).value(), (Json{{"mcpServers", Json::object()}}));
}

TEST_F(InstallTest, KeepsTheFileAsItWasBesideIt) {
  Write(".gemini/settings.json", "{ // mine\n  \"theme\": \"x\"\n}\n", 0640);
  const auto ran = Run(For("gemini-cli"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find(".gemini/settings.json.before-helix-perf-cache"), std::string::npos) << ran.out;
  EXPECT_EQ(Text(".gemini/settings.json.before-helix-perf-cache"), "{ // mine\n  \"theme\": \"x\"\n}\n");
  EXPECT_EQ(Text(".gemini/settings.json").rfind("{ // mine\n  \"theme\": \"x\",\n  \"mcpServers\"", 0), 0U);
  struct stat status {};
  ASSERT_EQ(::stat((home_ + "/.gemini/settings.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST_F(InstallTest, ASecondTimeHasNothingToDo) {
  for (const auto& client : Clients()) {
    if (client.name == "claude-code" || client.name == "helixagent") continue;
    EXPECT_EQ(Run(For(client.name)).exit_code, 0) << client.name;
    const auto again = Run(For(client.name));
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_NE(again.out.find("registered already"), std::string::npos) << client.name << ": " << again.out;
    EXPECT_FALSE(fs::exists(client.default_file([this](const std::string&) { return std::optional(home_); }) +
                            ".before-helix-perf-cache"))
        << client.name;
  }
}

TEST_F(InstallTest, ADryRunSaysWhatItWouldDoAndChangesNothing) {
  auto options = For("codex");
  options.dry_run = true;
  const auto ran = Run(options);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_NE(ran.out.find("would register"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("[mcp_servers.helix-perf-cache]"), std::string::npos) << ran.out;
  EXPECT_FALSE(fs::exists(home_ + "/.codex"));
}

TEST_F(InstallTest, LeavesAFileThatItCannotReadAlone) {
  Write(".qwen/settings.json", "{ broken");
  const auto ran = Run(For("qwen-code"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("line 1"), std::string::npos) << ran.err;
  EXPECT_EQ(Text(".qwen/settings.json"), "{ broken");
}

TEST_F(InstallTest, FollowsALinkInsteadOfReplacingIt) {
  Write("dotfiles/qwen.json", "{}");
  fs::create_directories(home_ + "/.qwen");
  fs::create_symlink(home_ + "/dotfiles/qwen.json", home_ + "/.qwen/settings.json");
  EXPECT_EQ(Run(For("qwen-code")).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(home_ + "/.qwen/settings.json"));
  EXPECT_NE(Text("dotfiles/qwen.json").find("helix-perf-cache"), std::string::npos);
}

TEST_F(InstallTest, RegistersAnHttpServerInEachClientsWords) {
  const std::map<std::string, std::string> key = {{"qwen-code", "\"httpUrl\""},
                                                  {"gemini-cli", "\"url\""},
                                                  {"opencode", "\"remote\""},
                                                  {"codex", "url = "}};
  for (const auto& [client, word] : key) {
    auto options = For(client);
    options.http = "http://127.0.0.1:9/mcp";
    options.file = home_ + "/" + client;
    EXPECT_EQ(Run(options).exit_code, 0) << client;
    EXPECT_NE(Text(client).find(word), std::string::npos) << Text(client);
    EXPECT_NE(Text(client).find("http://127.0.0.1:9/mcp"), std::string::npos) << client;
  }
}

TEST_F(InstallTest, UsesTheOpencodeFileThatIsThere) {
  Write(".config/opencode/opencode.jsonc", "{\n  // mine\n}\n");
  EXPECT_EQ(Run(For("opencode")).exit_code, 0);
  EXPECT_NE(Text(".config/opencode/opencode.jsonc").find("\"local\""), std::string::npos);
  EXPECT_FALSE(fs::exists(home_ + "/.config/opencode/opencode.json"));
}

TEST_F(InstallTest, ClaudeCodeIsAskedThroughItsOwnCommand) {
  Write("bin/claude", "#!/bin/sh\necho \"claude $*\"\n[ \"$2\" = add ]\n", 0700);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (home_ + "/bin").c_str(), 1);
  const auto ran = Run(For("claude-code"));
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("claude mcp add --scope user helix-perf-cache -- /opt/ours/helix-perf-cache serve"),
            std::string::npos)
      << ran.out;
}

TEST_F(InstallTest, ACommandThatIsNotThereWasNotRun) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (home_ + "/empty").c_str(), 1);
  const auto ran = Run(For("claude-code"));
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("claude is not on PATH"), std::string::npos) << ran.err;
}

// Codex hands over what is named and nothing else: an endpoint that the user allowed has to arrive.
TEST_F(InstallTest, CodexNamesTheVariablesThatChooseWhatIsMeasured) {
  EXPECT_EQ(Run(For("codex")).exit_code, 0);
  for (const char* name : {"HELIX_LLM_LOCAL_OPENAI_ENDPOINT", "HELIX_LLM_HOST", "HELIX_LLM_PORT",
                           "HELIX_ALLOWED_ENDPOINTS", "HELIX_LLAMA_SERVER", "HELIX_REPORT_DIR", "XDG_STATE_HOME"}) {
    EXPECT_NE(Text(".codex/config.toml").find(std::string("\"") + name + "\""), std::string::npos) << name;
  }
}

TEST_F(InstallTest, SaysWhatIsMissing) {
  EXPECT_NE(Run(For("emacs")).err.find("claude-code, codex"), std::string::npos);
  EXPECT_NE(Run(For("helixagent")).err.find("--file"), std::string::npos);
  auto options = For("helixagent");
  options.http = "http://x/mcp";
  EXPECT_NE(Run(options).err.find("leave --http out"), std::string::npos);
  options = For("codex");
  options.http = "127.0.0.1:9";
  EXPECT_EQ(Run(options).exit_code, 2);
}

}  // namespace
}  // namespace helix::mcp
