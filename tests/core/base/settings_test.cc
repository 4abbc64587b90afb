#include "core/base/settings.h"

#include <gtest/gtest.h>

#include <map>

namespace helix {
namespace {

Settings With(std::map<std::string, std::string> env) {
  return SettingsFromEnvironment([env](const std::string& name) -> std::optional<std::string> {
    auto it = env.find(name);
    if (it == env.end()) return std::nullopt;
    return it->second;
  });
}

TEST(Settings, EndpointVariableWinsOverHostAndPort) {
  EXPECT_EQ(With({{"HELIX_LLM_LOCAL_OPENAI_ENDPOINT", "http://a:1/v1"}, {"HELIX_LLM_HOST", "b"}}).endpoint,
            "http://a:1");
  EXPECT_EQ(With({{"HELIX_LLM_HOST", "b"}, {"HELIX_LLM_PORT", "2"}}).endpoint, "http://b:2");
  EXPECT_EQ(With({}).endpoint, "http://localhost:18434");
}

TEST(Settings, SplitsLlamaArgumentsAtBlanks) {
  EXPECT_EQ(With({{"HELIX_LLAMA_ARGS", " -ub 64  -fa on"}}).llama_args,
            (std::vector<std::string>{"-ub", "64", "-fa", "on"}));
  EXPECT_TRUE(With({}).llama_args.empty());
}

TEST(Settings, DropsOneTrailingV1Only) {
  bool stripped = false;
  EXPECT_EQ(StripV1("http://a:1/v1/", &stripped), "http://a:1");
  EXPECT_TRUE(stripped);
  EXPECT_EQ(StripV1("http://a:1/v1/v1"), "http://a:1/v1");
  EXPECT_EQ(StripV1("http://a:1", &stripped), "http://a:1");
  EXPECT_FALSE(stripped);
}

}  // namespace
}  // namespace helix
