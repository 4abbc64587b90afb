// The report folder: objects, one folder per run, and a log that chains the runs.
//
//   <folder>/store/objects/...      evidence of all runs
//   <folder>/runs/<run_id>/report.json
//   <folder>/log                    one line per event, append only: begun and finished runs
//
// A run is announced in the log before its first sample, so one that was started and never reported stays
// visible.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/evidence/object_store.h"

namespace helix::evidence {

struct StoredReport {
  std::string path;
  std::string sha256;  // of the file's bytes
};

struct LogEntry {
  std::string event;  // "begin" or "report"
  std::string run_id;
  std::string digest;       // plan hash for "begin", report hash for "report"
  std::string line_sha256;  // of the entry's own line: the next entry carries it as `previous`
};

struct EarlierRun {
  std::string run_id;
  std::string plan_sha256;
  std::string report_sha256;  // empty: begun and never reported
};

class RunStore {
 public:
  static Result<RunStore> Open(const std::string& folder, StoreFaults faults = {});
  // The folder as it is: nothing is created, changed or moved. Begin, Commit and CollectGarbage are kRefused.
  static Result<RunStore> OpenReadOnly(const std::string& folder);

  ObjectStore& objects() { return objects_; }
  [[nodiscard]] const std::string& folder() const { return folder_; }

  // Announces a run before its first sample. `plan_sha256` is its plan's hash. Refuses a run id that is in
  // use or is not [A-Za-z0-9._-]{1,64} without a leading dot.
  Status Begin(const std::string& run_id, const std::string& plan_sha256);

  // Writes the report last: makes the objects durable, checks that every digest in `digests` is stored, adds
  // `report["run_id"]` and `report["chain"]` = {"previous": hash of the log's last line or null, "index": n},
  // seals its parts (seal.h), appends to the log and writes canonical JSON atomically. On an error there is
  // no report file.
  Result<StoredReport> Commit(const std::string& run_id, Json report,
                              const std::vector<std::string>& digests);

  // The log from the beginning; kParse naming the line whose link to the one before does not hold. A last
  // line without its end (a torn write) is left out.
  [[nodiscard]] Result<std::vector<LogEntry>> ReadLog() const;

  // Runs that the log names before the report of `run_id` (before its end when there is none), this run left
  // out, in the order in which they began.
  [[nodiscard]] Result<std::vector<EarlierRun>> RunsBefore(const std::string& run_id) const;

  // Removes objects that no report references and that are older than `min_age_s`.
  Result<std::size_t> CollectGarbage(std::int64_t min_age_s = 24 * 3600);

 private:
  RunStore(std::string folder, ObjectStore objects, bool read_only = false);
  Status AppendLog(const std::string& event, const std::string& run_id, const std::string& digest);

  std::string folder_;
  ObjectStore objects_;
  bool read_only_;
};

// The report with this run id or with this digest of its bytes.
Result<StoredReport> FindReport(const std::string& folder, const std::string& name);

// Every 64-digit digest that stands in a string of `report`, sorted, each once.
std::vector<std::string> DigestsIn(const Json& report);

}  // namespace helix::evidence
