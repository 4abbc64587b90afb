// The reports of a report folder by digest.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace helix::mcp {

struct ReportFile {
  std::string path;
  std::string run_id;
  std::string digest;  // SHA-256 of the file's bytes
  std::uintmax_t size = 0;
  std::int64_t modified_ns = 0;
};

// Thread-safe. A file is hashed again only when its size or time has changed.
class ReportFiles {
 public:
  explicit ReportFiles(std::string report_dir) : runs_dir_(std::move(report_dir) + "/runs") {}
  // Newest first.
  std::vector<ReportFile> List();
  std::optional<ReportFile> Find(const std::string& digest);

 private:
  const std::string runs_dir_;
  std::mutex mutex_;
  std::map<std::string, ReportFile> known_;  // by path
};

}  // namespace helix::mcp
