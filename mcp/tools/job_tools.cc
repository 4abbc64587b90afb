#include "mcp/tools/job_tools.h"

#include "core/base/json_fields.h"
#include "mcp/jobs/job_answer.h"

namespace helix::mcp {
namespace {

constexpr double kCancelPatienceS = 5;

Json JobIdProperty() {
  return Json{{"type", "string"}, {"description", "The job_id of an answer with status \"running\"."}};
}

Tool JobTool(const char* name, const char* subcommand, const char* title) {
  Tool tool;
  tool.name = name;
  tool.subcommand = subcommand;
  tool.title = title;
  tool.input_schema = Json{{"type", "object"},
                           {"properties", {{"job_id", JobIdProperty()}}},
                           {"required", Json::array({"job_id"})}};
  Json output = JobProperties();
  output["verdict"] = Json{{"type", "string"}};
  tool.output_schema =
      Json{{"type", "object"}, {"properties", output}, {"required", Json::array({"status", "job_id"})}};
  tool.positionals = {"job_id"};
  return tool;
}

Result<Json> GetJob(const Json& arguments, const Settings& settings, const RunContext& run) {
  const JobStore store(settings.report_dir);
  auto state = WaitForJob(store, StringAt(arguments, "job_id").value_or(""),
                          NumberAt(arguments, "max_wait_s").value_or(0), run);
  if (!state) return tl::make_unexpected(state.error());
  return JobAnswer(store, *state);
}

Result<Json> CancelJob(const Json& arguments, const Settings& settings, const RunContext& run) {
  JobStore store(settings.report_dir);
  const auto id = StringAt(arguments, "job_id").value_or("");
  HELIX_TRY(store.RequestCancel(id));
  auto state = WaitForJob(store, id, kCancelPatienceS, run);
  if (!state) return tl::make_unexpected(state.error());
  return JobAnswer(store, *state);
}

}  // namespace

Tool GetJobTool() {
  Tool tool = JobTool("get_job", "get-job", "Result of a long run");
  tool.description =
      "Use this after a call answered with status \"running\": waits for the job and returns its result or "
      "how far it "
      "is. Jobs are kept in the report folder and can be read after a restart of the server.";
  tool.input_schema["properties"]["max_wait_s"] = MaxWaitProperty();
  tool.annotations = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  tool.handler = GetJob;
  return tool;
}

Tool CancelJobTool() {
  Tool tool = JobTool("cancel_job", "cancel-job", "Stop a long run");
  tool.description =
      "Use this to stop a job that answered with status \"running\". What it had measured is not reported; a "
      "job that "
      "has ended stays as it is.";
  tool.annotations = {.read_only = false, .destructive = true, .idempotent = true, .open_world = false};
  tool.handler = CancelJob;
  return tool;
}

}  // namespace helix::mcp
