#include "core/backend/configured_server.h"

#include <gtest/gtest.h>

#include "tests/support/paths.h"

namespace helix::backend {
namespace {

EnvReader CacheIn(const std::string& folder) {
  return [folder](const std::string& name) -> std::optional<std::string> {
    if (name == "XDG_CACHE_HOME") return folder;
    return std::nullopt;
  };
}

TEST(ConfiguredServer, HasTheUsersProgramModelAndFlags) {
  Settings settings;
  settings.llama_server = "/bin/sh";
  settings.llama_args = {"-fa", "on"};
  const std::string folder = testing_support::ScratchDir();
  const auto options = ConfiguredServer(settings, CacheIn(folder));
  ASSERT_TRUE(options) << options.error().reason;
  EXPECT_EQ(options->program, "/bin/sh");
  EXPECT_EQ(options->model.rfind(folder, 0), 0U);
  EXPECT_EQ(options->flags.extra, settings.llama_args);
}

TEST(ConfiguredServer, IsASkipThatNamesWhatIsMissing) {
  Settings settings;
  settings.llama_server = "/nonexistent";
  const auto program = ConfiguredServer(settings, CacheIn(testing_support::ScratchDir()));
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().reason.rfind("server_binary_missing:", 0), 0U);
  settings.llama_server = "/bin/sh";
  settings.model_file = "/nonexistent.gguf";
  const auto model = ConfiguredServer(settings, CacheIn(testing_support::ScratchDir()));
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().reason.rfind("model_missing:", 0), 0U);
}

}  // namespace
}  // namespace helix::backend
