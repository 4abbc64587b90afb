#include "mcp/jobs/job_tasks.h"

#include "mcp/jobs/job_store.h"
#include "mcp/protocol/arguments.h"
#include "mcp/protocol/result_budget.h"
#include "mcp/protocol/tool_adapter.h"

namespace helix::mcp {
namespace {

const char* TaskStatus(JobStatus status) {
  switch (status) {
    case JobStatus::kRunning:
      return "working";
    case JobStatus::kCancelled:
      return "cancelled";
    case JobStatus::kLost:
      return "failed";
    case JobStatus::kDone:
    case JobStatus::kFailed:
      return "completed";  // a tool's own error is a completed task with isError
  }
  return "failed";
}

Json TaskJson(const JobState& state) {
  Json task{{"taskId", state.id},
            {"status", TaskStatus(state.status)},
            {"createdAt", state.started_at},
            {"lastUpdatedAt", state.updated_at.empty() ? state.started_at : state.updated_at},
            {"ttlMs", nullptr},
            {"pollIntervalMs", 1000}};
  if (!state.progress.message.empty()) task["statusMessage"] = state.progress.message;
  return task;
}

class Tasks : public TaskSource {
 public:
  explicit Tasks(const std::string& report_dir) : store_(report_dir) {}

  Result<Json> Get(const std::string& task_id) override {
    auto state = store_.Load(task_id);
    if (!state) return tl::make_unexpected(state.error());
    Json task = TaskJson(*state);
    if (state->status == JobStatus::kFailed) task["result"] = ErrorResult(state->error);
    if (state->status == JobStatus::kLost)
      task["error"] = Json{{"code", kInternalError}, {"message", state->error}};
    if (state->status == JobStatus::kDone) {
      auto result = store_.LoadResult(task_id);
      task["result"] = result ? StructuredResult(FitBudget(*result)) : ErrorResult(result.error().Text());
    }
    return task;
  }
  Status Update(const std::string& task_id, const Json&) override {
    auto state = store_.Load(task_id);  // no job asks for input, so there is nothing to update
    return state ? Status{} : tl::make_unexpected(state.error());
  }
  Status Cancel(const std::string& task_id) override { return store_.RequestCancel(task_id); }

 private:
  JobStore store_;
};

}  // namespace

std::shared_ptr<TaskSource> JobTasks(const std::string& report_dir) {
  return std::make_shared<Tasks>(report_dir);
}

CallHandler StartAsTask(const Tool& tool, const Settings& settings, std::shared_ptr<JobRunner> runner) {
  Settings agent = settings;
  agent.from_agent = true;
  const auto served = WithJobs(tool, runner);
  return [tool, agent, runner, schema = PublishedInputSchema(served)](Call& call) -> RpcResult<Json> {
    auto arguments = PrepareArguments(tool.name, schema, std::move(call.arguments));
    if (!arguments) return ErrorResult(arguments.error().Text());
    arguments->erase("max_wait_s");
    auto id = runner->Start(tool, *arguments, agent);
    if (!id) return ErrorResult(id.error().Text());
    auto state = JobStore(agent.report_dir).Load(*id);
    if (!state) return ErrorResult(state.error().Text());
    Json task = TaskJson(*state);
    task["resultType"] = "task";
    return task;
  };
}

}  // namespace helix::mcp
