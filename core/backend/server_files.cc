#include "core/backend/server_files.h"

#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "core/model/demo_model.h"
#include "core/model/gguf_info.h"

namespace helix::backend {
namespace {

namespace fs = std::filesystem;

bool IsProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> InPath(const EnvReader& env) {
  std::stringstream folders(env("PATH").value_or(""));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / "llama-server";
    if (!folder.empty() && IsProgram(candidate)) return candidate.string();
  }
  return std::nullopt;
}

// build/<preset>/bin/<us> -> build/deps; also where bin/ is directly beside deps/.
std::optional<std::string> BesideUs() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  for (const char* up : {"../../deps", "../deps"}) {
    const fs::path candidate = (self.parent_path() / up / "llama/llama-server").lexically_normal();
    if (IsProgram(candidate)) return candidate.string();
  }
  return std::nullopt;
}

}  // namespace

tl::expected<std::string, Skip> FindLlamaServer(const Settings& settings, const EnvReader& env) {
  const char* word = "server_binary_missing";
  if (settings.llama_server) {
    if (IsProgram(*settings.llama_server)) return *settings.llama_server;
    return tl::make_unexpected(MakeSkip(word, *settings.llama_server + " is not an executable file",
                                        "name a llama-server program with --server or HELIX_LLAMA_SERVER"));
  }
  if (auto found = InPath(env)) return *found;
  if (auto found = BesideUs()) return *found;
  return tl::make_unexpected(MakeSkip(
      word, "no llama-server in PATH or beside this program",
      "install llama.cpp or run scripts/get-llama-server, or name the program in HELIX_LLAMA_SERVER"));
}

tl::expected<std::string, Skip> FindModel(const Settings& settings, const EnvReader& env) {
  const char* word = "model_missing";
  if (!settings.model_file) {
    auto demo = model::DemoModelPath(env);
    if (demo) return *demo;
    return tl::make_unexpected(MakeSkip(word, "the demo model could not be written: " + demo.error().message,
                                        "make the cache folder writable, or name a GGUF file with --model"));
  }
  auto info = model::ReadGgufInfo(*settings.model_file);
  if (info) return *settings.model_file;
  return tl::make_unexpected(
      MakeSkip(word, info.error().message, "name a GGUF file with --model or HELIX_MODEL"));
}

}  // namespace helix::backend
