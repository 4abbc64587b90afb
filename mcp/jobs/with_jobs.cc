// The generic wrapper that turns a long tool into one that answers in time.
#include "core/base/json_fields.h"
#include "mcp/jobs/job_answer.h"
#include "mcp/jobs/job_runner.h"

namespace helix::mcp {
namespace {

Result<Json> RunWithin(const Tool& tool, JobRunner& runner, Json arguments, const Settings& settings,
                       const RunContext& run) {
  const double max_wait_s = NumberAt(arguments, "max_wait_s").value_or(45);
  arguments.erase("max_wait_s");
  auto id = runner.Start(tool, arguments, settings);
  if (!id) return tl::make_unexpected(id.error());
  JobStore store(settings.report_dir);
  auto state = WaitForJob(store, *id, max_wait_s, run);
  if (!state) {
    runner.Cancel(*id);
    return tl::make_unexpected(state.error());
  }
  if (state->status == JobStatus::kRunning) return JobAnswer(store, *state);
  Result<Json> result =
      state->status == JobStatus::kDone
          ? store.LoadResult(*id)
          : Fail(state->status == JobStatus::kCancelled ? ErrorCode::kCancelled : ErrorCode::kInternal,
                 state->error.empty() ? "the run was cancelled" : state->error);
  if (result) store.Remove(*id);  // answered in time: nobody was told of a job
  return result;
}

}  // namespace

Tool WithJobs(const Tool& tool, std::shared_ptr<JobRunner> runner) {
  Tool served = tool;
  served.input_schema["properties"]["max_wait_s"] = MaxWaitProperty();
  const Json job_properties = JobProperties();
  for (const auto& [name, schema] : job_properties.items()) {
    if (!served.output_schema["properties"].contains(name)) served.output_schema["properties"][name] = schema;
  }
  served.output_schema.erase("required");  // a running job has no verdict yet
  served.duration = ToolDuration::kShort;
  served.handler = [tool, runner = std::move(runner)](const Json& arguments, const Settings& settings,
                                                      const RunContext& run) {
    return RunWithin(tool, *runner, arguments, settings, run);
  };
  return served;
}

}  // namespace helix::mcp
