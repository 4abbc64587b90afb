#include "core/backend/server_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/backend/child_environment.h"
#include "core/model/gguf_info.h"
#include "tests/support/paths.h"

namespace helix::backend {
namespace {

using testing_support::ScratchDir;

EnvReader Env(std::map<std::string, std::string> values) {
  return [values](const std::string& name) -> std::optional<std::string> {
    auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

std::string Program(const std::string& path) {
  std::ofstream(path) << "#!/bin/sh\n";
  ::chmod(path.c_str(), 0755);
  return path;
}

TEST(FindLlamaServer, TheUsersOwnComesFirstAndIsNeverReplaced) {
  const std::string folder = ScratchDir();
  const std::string in_path = Program(folder + "/llama-server");
  Settings settings;
  EXPECT_EQ(FindLlamaServer(settings, Env({{"PATH", "/nonexistent:" + folder}})).value_or(""), in_path);
  settings.llama_server = Program(folder + "/mine");
  EXPECT_EQ(FindLlamaServer(settings, Env({{"PATH", folder}})).value_or(""), folder + "/mine");
  settings.llama_server = folder;
  auto missing = FindLlamaServer(settings, Env({{"PATH", folder}}));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "artifact_not_yet_built");
  EXPECT_EQ(missing.error().reason.rfind("server_binary_missing: " + folder, 0), 0U)
      << missing.error().reason;
}

TEST(FindModel, TheDemoModelIsMadeWhenNoneIsNamed) {
  const std::string folder = ScratchDir();
  auto path = FindModel({}, Env({{"XDG_CACHE_HOME", folder}}));
  ASSERT_TRUE(path);
  EXPECT_EQ(path->rfind(folder, 0), 0U);
  EXPECT_TRUE(model::ReadGgufInfo(*path)->synthetic_weights);
}

TEST(FindModel, ANamedFileThatIsNoModelIsASkip) {
  Settings settings;
  settings.model_file = "/nonexistent.gguf";
  auto missing = FindModel(settings, Env({}));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().reason.rfind("model_missing: ", 0), 0U);
  settings.model_file = ScratchDir() + "/text.gguf";
  std::ofstream(*settings.model_file) << "not a model";
  EXPECT_FALSE(FindModel(settings, Env({})));
}

TEST(FindModel, ACacheFolderThatCannotBeWrittenIsASkip) {
  EXPECT_FALSE(FindModel({}, Env({{"XDG_CACHE_HOME", "/dev/null"}})));
}

TEST(ChildEnvironment, HasNoKeysAndNoFlagsInDisguise) {
  EXPECT_EQ(ChildEnvironment(Env({{"PATH", "/bin"},
                                  {"HELIX_LLM_API_KEY", "sk-CANARY"},
                                  {"ANTHROPIC_API_KEY", "sk-CANARY"},
                                  {"LLAMA_API_KEY", "x"},
                                  {"LLAMA_ARG_CTX_SIZE", "1"}})),
            (std::vector<std::string>{"PATH=/bin"}));
}

}  // namespace
}  // namespace helix::backend
