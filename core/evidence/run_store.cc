#include "core/evidence/run_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/evidence/canonical_json.h"
#include "core/evidence/digest.h"
#include "core/evidence/seal.h"

namespace helix::evidence {
namespace {

// Held while the log or a run folder changes. The kernel releases it when the process ends, however it ends.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : fd_(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  [[nodiscard]] bool held() const { return fd_ >= 0; }

 private:
  int fd_;
};

bool ValidRunId(const std::string& id) {
  auto ok = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-'; };
  return !id.empty() && id.size() <= 64 && id[0] != '.' && std::all_of(id.begin(), id.end(), ok);
}

tl::unexpected<Error> LockFailed(const std::string& folder) {
  return Fail(ErrorCode::kIo, "cannot lock " + folder + "/lock: " + std::strerror(errno));
}

tl::unexpected<Error> ReadOnly(const std::string& folder) {
  return Fail(ErrorCode::kRefused, folder + " was opened for reading only");
}

std::string ReportPath(const std::string& folder, const std::string& run_id) {
  return folder + "/runs/" + run_id + "/report.json";
}

void CollectDigests(const Json& value, std::vector<std::string>& out) {
  if (value.is_string() && DigestFromHex(value.get_ref<const std::string&>()))
    out.push_back(value.get<std::string>());
  if (!value.is_structured()) return;
  for (const auto& item : value) CollectDigests(item, out);
}

}  // namespace

std::vector<std::string> DigestsIn(const Json& report) {
  std::vector<std::string> out;
  CollectDigests(report, out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

RunStore::RunStore(std::string folder, ObjectStore objects, bool read_only)
    : folder_(std::move(folder)), objects_(std::move(objects)), read_only_(read_only) {}

Result<RunStore> RunStore::OpenReadOnly(const std::string& folder) {
  auto objects = ObjectStore::OpenReadOnly(folder + "/store");
  if (!objects) return tl::make_unexpected(objects.error());
  return RunStore(folder, std::move(*objects), true);
}

Result<RunStore> RunStore::Open(const std::string& folder, StoreFaults faults) {
  auto objects = ObjectStore::Open(folder + "/store", std::move(faults));
  if (!objects) return tl::make_unexpected(objects.error());
  std::error_code ec;
  std::filesystem::create_directories(folder + "/runs", ec);
  if (ec) return Fail(ErrorCode::kIo, "cannot create " + folder + "/runs: " + ec.message());
  return RunStore(folder, std::move(*objects));
}

Result<std::vector<LogEntry>> RunStore::ReadLog() const {
  std::vector<LogEntry> out;
  auto text = ReadFile(folder_ + "/log");
  if (!text) {
    if (text.error().code == ErrorCode::kNotFound) return out;
    return tl::make_unexpected(text.error());
  }
  std::string previous;
  for (std::size_t at = 0, end = 0; (end = text->find('\n', at)) != std::string::npos; at = end + 1) {
    std::string line = text->substr(at, end - at);
    auto entry = ParseStrict(line);
    std::string number = std::to_string(out.size() + 1);
    if (!entry) return Fail(ErrorCode::kParse, folder_ + "/log line " + number + " is not JSON");
    if (StringAt(*entry, "previous").value_or("") != previous) {
      return Fail(ErrorCode::kParse,
                  folder_ + "/log line " + number + " does not follow from the line before it",
                  "an entry was changed or removed after it was written");
    }
    previous = Sha256Hex(line);
    out.push_back({StringAt(*entry, "event").value_or(""), StringAt(*entry, "run_id").value_or(""),
                   StringAt(*entry, "digest").value_or(""), previous});
  }
  return out;
}

// One write of one line; what a torn write left behind is cut off first.
Status RunStore::AppendLog(const std::string& event, const std::string& run_id, const std::string& digest) {
  auto log = ReadLog();
  if (!log) return tl::make_unexpected(log.error());
  auto text = ReadFile(folder_ + "/log");
  std::string whole = text.value_or("");
  whole.resize(whole.find_last_of('\n') == std::string::npos ? 0 : whole.find_last_of('\n') + 1);
  Json entry{{"event", event}, {"run_id", run_id}, {"digest", digest}};
  entry["previous"] = log->empty() ? Json(nullptr) : Json(log->back().line_sha256);
  return WriteFileAtomic(folder_ + "/log", whole + CanonicalJson(entry) + "\n");
}

Status RunStore::Begin(const std::string& run_id, const std::string& plan_sha256) {
  if (!ValidRunId(run_id)) {
    return Fail(ErrorCode::kInvalidArgument,
                "a run id is 1 to 64 of A-Z a-z 0-9 . _ - and does not start with a dot");
  }
  if (read_only_) return ReadOnly(folder_);
  FolderLock lock(folder_);
  if (!lock.held()) return LockFailed(folder_);
  std::error_code ec;
  if (!std::filesystem::create_directory(folder_ + "/runs/" + run_id, ec)) {
    return Fail(ErrorCode::kInvalidArgument, "run id " + run_id + " is in use in " + folder_,
                "choose another");
  }
  return AppendLog("begin", run_id, plan_sha256);
}

Result<StoredReport> RunStore::Commit(const std::string& run_id, Json report,
                                      const std::vector<std::string>& digests) {
  if (!ValidRunId(run_id)) return Fail(ErrorCode::kInvalidArgument, "not a run id: " + run_id.substr(0, 80));
  HELIX_TRY(objects_.Sync());
  FolderLock lock(folder_);
  if (!lock.held()) return LockFailed(folder_);
  // Under the lock: a collector that holds it may be about to remove an object that was old a moment ago.
  for (const auto& digest : digests) {
    if (!objects_.Has(digest)) {
      return Fail(ErrorCode::kIo,
                  "the report would reference object " + digest + ", which is not in the store");
    }
  }
  auto log = ReadLog();
  if (!log) return tl::make_unexpected(log.error());
  report["run_id"] = run_id;
  report["chain"] = {{"previous", log->empty() ? Json(nullptr) : Json(log->back().line_sha256)},
                     {"index", log->size()}};
  report["integrity"] = SealsOf(report);
  std::string bytes = CanonicalJson(report);
  StoredReport out{ReportPath(folder_, run_id), Sha256Hex(bytes)};
  // The entry goes first: a report that is on disk is always in the log, and an entry whose report is missing
  // tells of a run that was cut off or a report that was removed.
  HELIX_TRY(AppendLog("report", run_id, out.sha256));
  HELIX_TRY(WriteFileAtomic(out.path, bytes));
  return out;
}

Result<StoredReport> FindReport(const std::string& folder, const std::string& name) {
  if (ValidRunId(name)) {
    std::string path = ReportPath(folder, name);
    if (auto bytes = ReadFile(path)) return StoredReport{path, Sha256Hex(*bytes)};
  }
  std::error_code ec;
  for (const auto& run : std::filesystem::directory_iterator(folder + "/runs", ec)) {
    std::string path = run.path().string() + "/report.json";
    auto bytes = ReadFile(path);
    if (bytes && Sha256Hex(*bytes) == name) return StoredReport{path, name};
  }
  return Fail(ErrorCode::kNotFound,
              "no report in the report folder has the run id or digest " + name.substr(0, 80),
              "use the report_sha256 of an earlier result");
}

Result<std::vector<EarlierRun>> RunStore::RunsBefore(const std::string& run_id) const {
  auto log = ReadLog();
  if (!log) return tl::make_unexpected(log.error());
  std::vector<EarlierRun> out;
  for (const auto& entry : *log) {
    if (entry.run_id == run_id) {
      if (entry.event == "report") break;
      continue;
    }
    if (entry.event == "begin") out.push_back({entry.run_id, entry.digest, {}});
    auto same = std::find_if(out.begin(), out.end(), [&](auto& run) { return run.run_id == entry.run_id; });
    if (entry.event == "report" && same != out.end()) same->report_sha256 = entry.digest;
  }
  return out;
}

Result<std::size_t> RunStore::CollectGarbage(std::int64_t min_age_s) {
  if (read_only_) return ReadOnly(folder_);
  FolderLock lock(folder_);
  if (!lock.held()) return LockFailed(folder_);
  std::vector<std::string> keep;
  std::error_code ec;
  for (const auto& run : std::filesystem::directory_iterator(folder_ + "/runs", ec)) {
    std::string path = run.path().string() + "/report.json";
    if (!std::filesystem::exists(path)) continue;
    auto report = ReadJsonFile(path);
    // An unreadable report may reference anything: nothing is removed until a person has looked.
    if (!report) return tl::make_unexpected(report.error());
    for (auto& digest : DigestsIn(*report)) keep.push_back(std::move(digest));
  }
  if (ec) return Fail(ErrorCode::kIo, "cannot list " + folder_ + "/runs: " + ec.message());
  std::sort(keep.begin(), keep.end());
  return objects_.Sweep(keep, min_age_s);
}

}  // namespace helix::evidence
