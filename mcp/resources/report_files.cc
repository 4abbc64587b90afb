#include "mcp/resources/report_files.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "core/base/file.h"
#include "core/evidence/digest.h"

namespace helix::mcp {
namespace fs = std::filesystem;

std::vector<ReportFile> ReportFiles::List() {
  const std::lock_guard lock(mutex_);
  std::vector<ReportFile> files;
  std::error_code problem;
  for (const auto& run : fs::directory_iterator(runs_dir_, problem)) {
    ReportFile file{(run.path() / "report.json").string(), run.path().filename().string(), "", 0, 0};
    file.size = fs::file_size(file.path, problem);
    if (problem) continue;  // begun and never reported
    file.modified_ns = fs::last_write_time(file.path, problem).time_since_epoch().count();
    auto& known = known_[file.path];
    if (known.size != file.size || known.modified_ns != file.modified_ns || known.digest.empty()) {
      auto bytes = ReadFile(file.path);
      if (!bytes) continue;
      file.digest = evidence::Sha256Hex(*bytes);
      known = file;
    }
    files.push_back(known);
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return std::tie(b.modified_ns, a.path) < std::tie(a.modified_ns, b.path);
  });
  return files;
}

std::optional<ReportFile> ReportFiles::Find(const std::string& digest) {
  for (auto& file : List()) {
    if (file.digest == digest) return std::move(file);
  }
  return std::nullopt;
}

}  // namespace helix::mcp
