#include "core/base/writable.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace helix {
namespace {

namespace fs = std::filesystem;

// The nearest folder above `path` that is there: the ones between would be made.
fs::path NearestFolder(const fs::path& path) {
  std::error_code ignored;
  fs::path folder = path.parent_path();
  while (!folder.empty() && !fs::exists(folder, ignored) && folder != folder.parent_path()) {
    folder = folder.parent_path();
  }
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

Status RequireWritable(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return Fail(ErrorCode::kIo, path + " is a folder", "name a file in it");
  const std::string folder = NearestFolder(path).string();
  if (!fs::is_directory(folder, ignored)) return Fail(ErrorCode::kIo, folder + " is not a folder");
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return Fail(ErrorCode::kIo, "cannot write to the folder " + folder + ": " + std::strerror(errno));
}

}  // namespace helix
