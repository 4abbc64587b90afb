#include "core/model/demo_model.h"

#include <unistd.h>

#include <filesystem>

#include "core/base/file.h"
#include "core/model/synthetic_model.h"

namespace helix::model {

std::string CacheDir(const EnvReader& env) {
  if (auto cache = env("XDG_CACHE_HOME")) return *cache + "/helix-perf-cache";
  if (auto home = env("HOME")) return *home + "/.cache/helix-perf-cache";
  std::error_code ignored;
  const auto temporary = std::filesystem::temp_directory_path(ignored);
  return (temporary / ("helix-perf-cache-" + std::to_string(::getuid()))).string();
}

Result<std::string> SyntheticModelPath(const ModelShape& shape, const EnvReader& env) {
  const std::string path = CacheDir(env) + "/" + shape.Name() + ".gguf";
  // Written again only when it differs: a file that a run has open keeps its bytes.
  auto bytes = SyntheticModelBytes(shape);
  if (!bytes) return bytes;
  auto present = ReadFile(path);
  if (present && *present == *bytes) return path;
  HELIX_TRY(WriteFileAtomic(path, *bytes, 0644));
  return path;
}

Result<std::string> DemoModelPath(const EnvReader& env) {
  return SyntheticModelPath({}, env);
}

}  // namespace helix::model
