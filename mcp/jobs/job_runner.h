// Runs long tools as jobs of this process.
#pragma once
#include <chrono>
#include <functional>
#include <memory>

#include "core/base/settings.h"
#include "mcp/jobs/job_store.h"
#include "mcp/protocol/catalog.h"
#include "mcp/tools/tool.h"

namespace helix::mcp {

// Thread-safe.
class JobRunner {
 public:
  JobRunner();
  // Asks every job to stop and gives them a moment to write down that they did.
  ~JobRunner();

  // Called on a job's thread when its end is written down. Set before the first job starts.
  void OnEnded(std::function<void(const std::string& id)> on_ended);

  // Starts the handler on a thread of its own. One job runs at a time, the others wait in order: measurements
  // side by side on one machine would measure each other. Errors: the report folder cannot be written;
  // kUnavailable when too many wait.
  Result<std::string> Start(const Tool& tool, const Json& arguments, const Settings& settings);
  // Stops one job without waiting.
  void Cancel(const std::string& id);
  // Asks every job to stop; false when some still run after `patience`.
  bool StopAll(std::chrono::milliseconds patience);

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

// `tool` as it is served: with `max_wait_s`, answering with its result or with a job. Its handler runs as a
// job, and a call that is cancelled cancels it. The inner result is checked against the tool's own output
// schema.
Tool WithJobs(const Tool& tool, std::shared_ptr<JobRunner> runner);

}  // namespace helix::mcp
