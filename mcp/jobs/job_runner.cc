#include "mcp/jobs/job_runner.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "core/base/clock.h"
#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

constexpr std::int64_t kSaveEveryNs = 500'000'000;
constexpr std::chrono::milliseconds kLookForCancel{100};

Status Finish(JobStore& store, JobState& state, const Result<Json>& result, const Json& output_schema,
              bool cancelled) {
  if (cancelled) {
    state.status = JobStatus::kCancelled;
  } else if (!result) {
    state.status = JobStatus::kFailed;
    state.error = result.error().Text();
  } else if (const auto problems = CheckValue(output_schema, *result); !problems.empty()) {
    state.status = JobStatus::kFailed;
    state.error = "internal error: the result does not conform to the tool's output schema: " + problems[0];
  } else {
    HELIX_TRY(store.SaveResult(state.id, *result));
    state.status = JobStatus::kDone;
  }
  return store.Save(state);
}

// Writes progress down now and then, from whichever thread the tool uses.
class ProgressFile {
 public:
  ProgressFile(JobStore store, JobState& state) : store_(std::move(store)), state_(state) {}
  void Report(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    state_.progress = progress;
    const auto now = SteadyNowNs();
    if (now - saved_ns_ < kSaveEveryNs) return;
    saved_ns_ = now;
    (void)store_.Save(state_);  // the final state is saved again; only this step of the progress is lost
  }

 private:
  JobStore store_;
  JobState& state_;
  std::mutex mutex_;
  std::int64_t saved_ns_ = 0;
};

}  // namespace

struct JobRunner::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::stop_source> running;
};

JobRunner::JobRunner() : state_(std::make_shared<State>()) {}

JobRunner::~JobRunner() {
  StopAll(std::chrono::milliseconds(300));
}

Result<std::string> JobRunner::Start(const Tool& tool, const Json& arguments, const Settings& settings) {
  JobStore store(settings.report_dir);
  auto job = store.Create(tool.name);
  if (!job) return tl::make_unexpected(job.error());
  std::stop_source stop;
  {
    const std::lock_guard lock(state_->mutex);
    state_->running.emplace(job->id, stop);
  }
  std::thread([shared = state_, store, job = *job, tool, arguments, settings, stop]() mutable {
    std::jthread watcher([&](std::stop_token done) {
      while (!done.stop_requested() && !store.CancelRequested(job.id))
        std::this_thread::sleep_for(kLookForCancel);
      if (!done.stop_requested()) stop.request_stop();
    });
    ProgressFile progress(store, job);
    const RunContext run{stop.get_token(), [&](const Progress& p) { progress.Report(p); }};
    const auto result = tool.handler(arguments, settings, run);
    const auto saved = Finish(store, job, result, tool.output_schema, stop.stop_requested());
    if (!saved) std::fprintf(stderr, "job %s: %s\n", job.id.c_str(), saved.error().Text().c_str());
    const std::lock_guard lock(shared->mutex);
    shared->running.erase(job.id);
    shared->changed.notify_all();
  }).detach();
  return job->id;
}

void JobRunner::Cancel(const std::string& id) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->running.find(id);
  if (found != state_->running.end()) found->second.request_stop();
}

bool JobRunner::StopAll(std::chrono::milliseconds patience) {
  std::unique_lock lock(state_->mutex);
  auto running = state_->running;
  lock.unlock();
  for (auto& [id, stop] : running) stop.request_stop();
  lock.lock();
  return state_->changed.wait_for(lock, patience, [&] { return state_->running.empty(); });
}

}  // namespace helix::mcp
