#include "mcp/jobs/job_runner.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "core/base/clock.h"
#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

constexpr std::int64_t kSaveEveryNs = 500'000'000;
constexpr std::chrono::milliseconds kLookForCancel{100};
constexpr std::size_t kMostJobs = 16;

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
  } else if (const auto written = store.SaveResult(state.id, *result); !written) {
    state.status = JobStatus::kFailed;
    state.error = "the result could not be written: " + written.error().Text();
  } else {
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
  // Returns when it is this job's turn, or when it is to stop. `progress` hears of a wait.
  void WaitForTurn(const std::string& id, std::stop_token stop, ProgressFile& progress);
  void End(const std::string& id);

  std::mutex mutex;
  std::condition_variable_any changed;
  std::map<std::string, std::stop_source> running;
  std::deque<std::string> turns;  // the first one runs
  std::function<void(const std::string&)> on_ended = [](const std::string&) {};
};

void JobRunner::State::WaitForTurn(const std::string& id, std::stop_token stop, ProgressFile& progress) {
  std::unique_lock lock(mutex);
  if (turns.front() == id) return;
  lock.unlock();
  progress.Report({0, 0, "waits for another run to end"});
  lock.lock();
  changed.wait(lock, std::move(stop), [&] { return turns.front() == id; });
}

void JobRunner::State::End(const std::string& id) {
  const std::lock_guard lock(mutex);
  running.erase(id);
  turns.erase(std::remove(turns.begin(), turns.end(), id), turns.end());
  changed.notify_all();
}

JobRunner::JobRunner() : state_(std::make_shared<State>()) {}

JobRunner::~JobRunner() {
  StopAll(std::chrono::milliseconds(300));
}

void JobRunner::OnEnded(std::function<void(const std::string&)> on_ended) {
  state_->on_ended = std::move(on_ended);
}

Result<std::string> JobRunner::Start(const Tool& tool, const Json& arguments, const Settings& settings) {
  JobStore store(settings.report_dir);
  std::stop_source stop;
  std::unique_lock lock(state_->mutex);
  if (state_->turns.size() >= kMostJobs) {
    return Fail(ErrorCode::kUnavailable, std::to_string(kMostJobs) + " runs wait already",
                "wait for them with get_job, or stop one with cancel_job");
  }
  auto job = store.Create(tool.name);
  if (!job) return tl::make_unexpected(job.error());
  state_->running.emplace(job->id, stop);
  state_->turns.push_back(job->id);
  lock.unlock();
  std::thread([shared = state_, store, job = *job, tool, arguments, settings, stop]() mutable {
    std::jthread watcher([&](std::stop_token done) {
      while (!done.stop_requested() && !store.CancelRequested(job.id))
        std::this_thread::sleep_for(kLookForCancel);
      if (!done.stop_requested()) stop.request_stop();
    });
    ProgressFile progress(store, job);
    const RunContext run{stop.get_token(), [&](const Progress& p) { progress.Report(p); }};
    shared->WaitForTurn(job.id, stop.get_token(), progress);
    const Result<Json> result = stop.stop_requested() ? Fail(ErrorCode::kCancelled, "cancelled")
                                                      : tool.handler(arguments, settings, run);
    const auto saved = Finish(store, job, result, tool.output_schema, stop.stop_requested());
    if (!saved) std::fprintf(stderr, "job %s: %s\n", job.id.c_str(), saved.error().Text().c_str());
    shared->on_ended(job.id);
    shared->End(job.id);
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
