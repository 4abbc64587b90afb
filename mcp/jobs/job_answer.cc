#include "mcp/jobs/job_answer.h"

#include <chrono>
#include <thread>

#include "core/base/clock.h"
#include "core/base/json_fields.h"

namespace helix::mcp {
namespace {

constexpr std::chrono::milliseconds kPoll{50};
constexpr std::int64_t kSignOfLifeNs = 5'000'000'000;

// Passes progress on when it changed, and now and then when it did not: clients give up on silence.
class Forward {
 public:
  explicit Forward(const RunContext& run) : run_(run) {}
  void operator()(const Progress& now) {
    const bool changed = now.done != last_.done || now.message != last_.message;
    if (!changed && SteadyNowNs() - sent_ns_ < kSignOfLifeNs) return;
    last_ = now;
    sent_ns_ = SteadyNowNs();
    run_.Report(now.done, now.total, now.message);
  }

 private:
  const RunContext& run_;
  Progress last_;
  std::int64_t sent_ns_ = SteadyNowNs();
};

}  // namespace

Json JobAnswer(const JobStore& store, const JobState& state) {
  Json answer{{"status", JobStatusName(state.status)}, {"job_id", state.id}, {"tool", state.tool}};
  answer["progress"] = Json{
      {"done", state.progress.done}, {"total", state.progress.total}, {"message", state.progress.message}};
  if (state.status == JobStatus::kRunning) {
    answer["next"] = "call get_job with this job_id; cancel_job stops it";
  }
  if (!state.error.empty()) answer["error"] = state.error;
  if (state.status != JobStatus::kDone) return answer;
  auto result = store.LoadResult(state.id);
  if (!result) {
    answer["error"] = "the result cannot be read: " + result.error().message;
    return answer;
  }
  if (auto verdict = StringAt(*result, "verdict")) answer["verdict"] = *verdict;
  answer["result"] = std::move(*result);
  return answer;
}

Result<JobState> WaitForJob(const JobStore& store, const std::string& id, double max_wait_s,
                            const RunContext& run) {
  const auto deadline = SteadyNowNs() + static_cast<std::int64_t>(max_wait_s * 1e9);
  Forward forward(run);
  while (true) {
    auto state = store.Load(id);
    if (!state || state->status != JobStatus::kRunning || SteadyNowNs() >= deadline) return state;
    if (run.Cancelled())
      return Fail(ErrorCode::kCancelled, "the wait for job " + id + " was cancelled; the job goes on");
    forward(state->progress);
    std::this_thread::sleep_for(kPoll);
  }
}

Json MaxWaitProperty() {
  return Json{{"type", "number"},
              {"minimum", 0},
              {"maximum", 3600},
              {"default", 45},
              {"description",
               "Answer after this many seconds (0 to 3600) at the latest; a run that takes longer goes on as "
               "a job."}};
}

Json JobProperties() {
  const Json text{{"type", "string"}};
  return Json{{"status", {{"type", "string"}, {"enum", {"running", "done", "failed", "cancelled", "lost"}}}},
              {"job_id", text},
              {"tool", text},
              {"progress", {{"type", "object"}}},
              {"next", text},
              {"error", text},
              {"result", {{"type", "object"}}}};
}

}  // namespace helix::mcp
