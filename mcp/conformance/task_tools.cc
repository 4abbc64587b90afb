// Fixture tools of the tasks extension, and their tasks. A task here does nothing: it is done when its time
// has come or its questions are answered, and that is looked up when somebody asks.
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "mcp/conformance/fixtures.h"

namespace helix::mcp {
namespace {

using Clock = std::chrono::steady_clock;

struct FixtureTask {
  std::string status = "working";
  std::string created_at = UtcTimestamp();
  Clock::time_point due = Clock::now();
  Json asks = Json::object();  // still open; while there are any the task waits for them
  Json answers = Json::object();
  Json result;  // null: the task ends as failed, with `error`
  Json error;
};

class FixtureTasks : public TaskSource {
 public:
  Json Create(FixtureTask task) {
    const std::lock_guard lock(mutex_);
    if (!task.asks.empty()) task.status = "input_required";
    const auto id = "fixture-task-" + std::to_string(++last_);
    Json created = Envelope(id, task);
    created["resultType"] = "task";
    tasks_.emplace(id, std::move(task));
    return created;
  }
  Result<Json> Get(const std::string& task_id) override {
    const std::lock_guard lock(mutex_);
    auto found = tasks_.find(task_id);
    if (found == tasks_.end()) return Unknown(task_id);
    auto& task = found->second;
    if (task.status == "working" && Clock::now() >= task.due) {
      task.status = task.result.is_null() ? "failed" : "completed";
    }
    Json shown = Envelope(task_id, task);
    if (task.status == "input_required") shown["inputRequests"] = task.asks;
    if (task.status == "completed") shown["result"] = task.result;
    if (task.status == "failed") shown["error"] = task.error;
    return shown;
  }
  Status Update(const std::string& task_id, const Json& input_responses) override {
    const std::lock_guard lock(mutex_);
    auto found = tasks_.find(task_id);
    if (found == tasks_.end()) return Unknown(task_id);
    auto& task = found->second;
    for (const auto& [key, response] : input_responses.items()) {
      if (task.asks.erase(key) > 0) task.answers[key] = response;
    }
    if (task.status == "input_required" && task.asks.empty()) {
      task.status = "working";
      task.result = TextResult("answered with " + DumpJson(task.answers));
    }
    return {};
  }
  Status Cancel(const std::string& task_id) override {
    const std::lock_guard lock(mutex_);
    auto found = tasks_.find(task_id);
    if (found == tasks_.end()) return Unknown(task_id);
    auto& status = found->second.status;
    if (status == "working" || status == "input_required") status = "cancelled";
    return {};
  }

 private:
  static tl::unexpected<Error> Unknown(const std::string& id) {
    return Fail(ErrorCode::kNotFound, "there is no task " + id);
  }
  static Json Envelope(const std::string& id, const FixtureTask& task) {
    return Json{{"taskId", id},
                {"status", task.status},
                {"createdAt", task.created_at},
                {"lastUpdatedAt", UtcTimestamp()},
                {"ttlMs", 600'000},
                {"pollIntervalMs", 100}};
  }

  std::mutex mutex_;
  int last_ = 0;
  std::map<std::string, FixtureTask> tasks_;
};

using Tasks = std::shared_ptr<FixtureTasks>;

Json Question(const char* message, const char* field) {
  const Json schema{{"type", "object"},
                    {"properties", {{field, {{"type", "string"}}}}},
                    {"required", Json::array({field})}};
  return Json{{"method", "elicitation/create"},
              {"params", {{"mode", "form"}, {"message", message}, {"requestedSchema", schema}}}};
}

Clock::time_point In(double seconds) {
  return Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

// A tool that cannot answer without a task.
ServerTool OnlyAsTask(const std::string& name, CallHandler start) {
  auto tool = FixtureTool(name, ToolDuration::kInstant, start);
  tool.start_task = std::move(start);
  tool.needs_task = true;
  return tool;
}

ServerTool SlowCompute(const Tasks& tasks) {
  const auto seconds = [](const Call& call) { return NumberAt(call.arguments, "seconds").value_or(1); };
  auto tool = FixtureTool("slow_compute", ToolDuration::kShort, [seconds](Call& call) -> RpcResult<Json> {
    for (const auto due = In(seconds(call)); !call.run.Cancelled() && Clock::now() < due;)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return TextResult("computed");
  });
  tool.start_task = [tasks, seconds](Call& call) -> RpcResult<Json> {
    FixtureTask task;
    task.due = In(seconds(call));
    task.result = TextResult("computed");
    return tasks->Create(task);
  };
  return tool;
}

ServerTool FailingJob(const Tasks& tasks) {
  return OnlyAsTask("failing_job", [tasks](Call&) -> RpcResult<Json> {
    FixtureTask task;
    task.due = In(1);
    task.result = TextResult("the job failed");
    task.result["isError"] = true;
    return tasks->Create(task);
  });
}

ServerTool ProtocolErrorJob(const Tasks& tasks) {
  return OnlyAsTask("protocol_error_job", [tasks](Call&) -> RpcResult<Json> {
    FixtureTask task;
    task.due = In(0.3);
    task.error = Json{{"code", kInternalError}, {"message", "the job broke"}};
    return tasks->Create(task);
  });
}

ServerTool Asking(const Tasks& tasks, const std::string& name, const Json& asks) {
  return OnlyAsTask(name, [tasks, asks](Call&) -> RpcResult<Json> {
    FixtureTask task;
    task.asks = asks;
    return tasks->Create(task);
  });
}

// Asks before there is a task, and is one from then on.
ServerTool AskThenTask(const Tasks& tasks) {
  return OnlyAsTask("test_tool_with_task", [tasks](Call& call) -> RpcResult<Json> {
    if (Find(call.input_responses, "user_name") == nullptr) {
      return Json{{"resultType", "input_required"},
                  {"inputRequests", {{"user_name", Question("What is your name?", "name")}}}};
    }
    FixtureTask task;
    task.due = In(0.3);
    task.result = TextResult("done for " + DumpJson(call.input_responses));
    return tasks->Create(task);
  });
}

}  // namespace

void AddTaskFixtures(Catalog& catalog) {
  const auto tasks = std::make_shared<FixtureTasks>();
  catalog.tasks = tasks;
  catalog.tools.push_back(FixtureTool("greet", ToolDuration::kInstant, [](Call& call) -> RpcResult<Json> {
    return TextResult("Hello, " + StringAt(call.arguments, "name").value_or("") + "!");
  }));
  catalog.tools.push_back(SlowCompute(tasks));
  catalog.tools.push_back(FailingJob(tasks));
  catalog.tools.push_back(ProtocolErrorJob(tasks));
  const Json confirm = Question("Delete the file?", "confirm");
  catalog.tools.push_back(Asking(tasks, "confirm_delete", Json{{"confirm", confirm}}));
  catalog.tools.push_back(
      Asking(tasks, "multi_input",
             Json{{"first", Question("First?", "name")}, {"second", Question("Second?", "name")}}));
  catalog.tools.push_back(AskThenTask(tasks));
}

}  // namespace helix::mcp
