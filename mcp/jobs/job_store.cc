#include "mcp/jobs/job_store.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <random>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "mcp/jobs/process_identity.h"

namespace helix::mcp {
namespace {

namespace fs = std::filesystem;

constexpr JobStatus kStatuses[] = {JobStatus::kRunning, JobStatus::kDone, JobStatus::kFailed,
                                   JobStatus::kCancelled, JobStatus::kLost};

std::string NewId() {
  std::random_device random;
  std::string id;
  for (int i = 0; i < 16; ++i) id += "0123456789abcdef"[random() % 16];
  return id;
}

bool IsId(const std::string& id) {
  return id.size() == 16 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

tl::unexpected<Error> Unknown(const std::string& id) {
  return Fail(ErrorCode::kNotFound, "there is no job \"" + id + "\"",
              "use the job_id of an answer with status \"running\", from the same report folder");
}

JobState FromJson(const Json& json, const std::string& id) {
  JobState state;
  state.id = id;
  state.tool = StringAt(json, "tool").value_or("");
  for (const auto status : kStatuses) {
    if (StringAt(json, "status") == JobStatusName(status)) state.status = status;
  }
  state.progress = {NumberAt(json, "progress/done").value_or(0), NumberAt(json, "progress/total").value_or(0),
                    StringAt(json, "progress/message").value_or("")};
  state.started_at = StringAt(json, "started_at").value_or("");
  state.updated_at = StringAt(json, "updated_at").value_or("");
  state.error = StringAt(json, "error").value_or("");
  return state;
}

// How jobs of this process ended whose end could not be written (a full disk): what is on disk still says that they
// run, and a call would wait for them.
class UnwrittenEnds {
 public:
  void Add(const JobState& state) {
    const std::lock_guard lock(mutex_);
    states_[state.id] = state;
  }
  std::optional<JobState> Find(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = states_.find(id);
    return found == states_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, JobState> states_;
};

UnwrittenEnds& Unwritten() {
  static auto* ends = new UnwrittenEnds;  // never destroyed: job threads are detached
  return *ends;
}

}  // namespace

const char* JobStatusName(JobStatus status) {
  switch (status) {
    case JobStatus::kRunning:
      return "running";
    case JobStatus::kDone:
      return "done";
    case JobStatus::kFailed:
      return "failed";
    case JobStatus::kCancelled:
      return "cancelled";
    case JobStatus::kLost:
      return "lost";
  }
  return "lost";
}

JobStore::JobStore(std::string report_dir) : jobs_dir_(std::move(report_dir) + "/jobs") {}

std::string JobStore::Folder(const std::string& id) const {
  return jobs_dir_ + "/" + id;
}

Result<JobState> JobStore::Create(const std::string& tool) {
  JobState state;
  state.id = NewId();
  state.tool = tool;
  state.started_at = UtcTimestamp();
  HELIX_TRY(Save(state));
  return state;
}

Status JobStore::Save(const JobState& state) {
  const Json progress{
      {"done", state.progress.done}, {"total", state.progress.total}, {"message", state.progress.message}};
  const Json json{{"tool", state.tool},           {"status", JobStatusName(state.status)},
                  {"progress", progress},         {"started_at", state.started_at},
                  {"updated_at", UtcTimestamp()}, {"error", state.error},
                  {"process", ThisProcess()}};
  auto written = WriteFileAtomic(Folder(state.id) + "/state.json", DumpPretty(json));
  if (!written && state.status != JobStatus::kRunning) Unwritten().Add(state);
  return written;
}

Status JobStore::SaveResult(const std::string& id, const Json& result) {
  return WriteFileAtomic(Folder(id) + "/result.json", DumpPretty(result));
}

Result<JobState> JobStore::Load(const std::string& id) const {
  if (!IsId(id)) return Unknown(id);
  if (auto ended = Unwritten().Find(id)) return *std::move(ended);
  auto text = ReadFile(Folder(id) + "/state.json");
  if (!text) return Unknown(id);
  auto json = ParseJson(*text);
  if (!json)
    return Fail(ErrorCode::kParse, "the state of job " + id + " cannot be read: " + json.error().message);
  auto state = FromJson(*json, id);
  const Json* process = Find(*json, "process");
  if (state.status == JobStatus::kRunning && (process == nullptr || !StillRuns(*process))) {
    state.status = JobStatus::kLost;
    state.error = "the server that ran this job ended before the job did; run " + state.tool + " again";
  }
  return state;
}

Result<Json> JobStore::LoadResult(const std::string& id) const {
  auto text = ReadFile(Folder(id) + "/result.json");
  if (!text) return tl::make_unexpected(text.error());
  return ParseJson(*text);
}

Status JobStore::RequestCancel(const std::string& id) {
  auto state = Load(id);
  if (!state) return tl::make_unexpected(state.error());
  return WriteFileAtomic(Folder(id) + "/cancel", "");
}

bool JobStore::CancelRequested(const std::string& id) const {
  std::error_code ignored;
  return fs::exists(Folder(id) + "/cancel", ignored);
}

void JobStore::Remove(const std::string& id) {
  std::error_code ignored;
  if (IsId(id)) fs::remove_all(Folder(id), ignored);
}

}  // namespace helix::mcp
