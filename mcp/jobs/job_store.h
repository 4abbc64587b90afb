// Jobs as files, so that they outlive the server that ran them: <report folder>/jobs/<id>/state.json,
// result.json, and `cancel`, which asks the running server to stop the job.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"

namespace helix::mcp {

enum class JobStatus {
  kRunning,
  kDone,    // there is a result
  kFailed,  // there is an error
  kCancelled,
  kLost,  // its server ended before the job did
};

// "running", "done", "failed", "cancelled", "lost".
const char* JobStatusName(JobStatus status);

struct JobState {
  std::string id;
  std::string tool;
  JobStatus status = JobStatus::kRunning;
  Progress progress;
  std::string started_at;  // UTC
  std::string updated_at;
  std::string error;  // of a failed job
};

// Thread-safe: every call reads or writes files.
class JobStore {
 public:
  explicit JobStore(std::string report_dir);

  // A new job of this process. kIo when its folder cannot be written.
  Result<JobState> Create(const std::string& tool);
  Status Save(const JobState& state);
  Status SaveResult(const std::string& id, const Json& result);
  // kNotFound for ids that are not known. A job that says it runs, but whose process is gone, is kLost.
  [[nodiscard]] Result<JobState> Load(const std::string& id) const;
  [[nodiscard]] Result<Json> LoadResult(const std::string& id) const;
  Status RequestCancel(const std::string& id);
  [[nodiscard]] bool CancelRequested(const std::string& id) const;
  void Remove(const std::string& id);

 private:
  [[nodiscard]] std::string Folder(const std::string& id) const;
  const std::string jobs_dir_;
};

}  // namespace helix::mcp
