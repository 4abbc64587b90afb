// The part of the dispatcher that runs handlers: tools/call, prompts/get, tasks, subscriptions.
#include <cstdio>
#include <exception>

#include "core/base/json_fields.h"
#include "mcp/protocol/progress_sender.h"
#include "mcp/protocol/request.h"

namespace helix::mcp {
namespace {

tl::unexpected<RpcError> Refuse(int code, std::string message, Json data = nullptr) {
  return tl::make_unexpected(RpcError{code, std::move(message), std::move(data)});
}

tl::unexpected<RpcError> NeedsTasks() {
  const Json extension{{kTasksExtension, Json::object()}};
  return Refuse(kMissingClientCapability, "tasks need the tasks extension in clientCapabilities",
                Json{{"requiredCapabilities", {{"extensions", extension}}}});
}

bool WantsLog(const std::optional<std::string>& threshold, const std::string& level) {
  return threshold && LogSeverity(level) >= LogSeverity(*threshold);
}

}  // namespace

void Dispatcher::CallTool(const RequestPtr& request) {
  const auto name = StringAt(request->message.Params(), "name");
  if (!name) return Answer(request, Refuse(kInvalidParams, "tools/call needs the name of a tool"));
  const auto* tool = catalog_.FindTool(*name);
  if (tool == nullptr) {
    return Answer(request, Refuse(kInvalidParams,
                                  "Tool " + *name + " not found: tools/list names those that there are"));
  }
  const bool knows_tasks = DeclaresTasks(request->meta.client_capabilities);
  if (tool->needs_task && !knows_tasks) return Answer(request, NeedsTasks());
  const bool as_task = tool->start_task && knows_tasks;
  Run(request, tool->duration, as_task ? tool->start_task : tool->call);
}

Call Dispatcher::MakeCall(const RequestPtr& request, std::stop_token stop) {
  const Json& params = request->message.Params();
  Call call;
  if (const Json* arguments = Find(params, "arguments")) call.arguments = *arguments;
  call.era = request->meta.era;
  call.client_capabilities = request->meta.client_capabilities;
  if (const Json* responses = Find(params, "inputResponses")) call.input_responses = *responses;
  call.request_state = StringAt(params, "requestState").value_or("");
  call.run.stop = stop;
  const auto threshold = request->meta.era == Era::kModern ? request->meta.log_level
                         : request->session->LogLevel()    ? request->session->LogLevel()
                                                           : catalog_.default_log_level;
  call.log = [outbox = request->outbox, threshold](const std::string& level, const Json& data) {
    if (!WantsLog(threshold, level)) return;
    outbox->Send(NotificationText("notifications/message",
                                  Json{{"level", level}, {"logger", "helix-perf-cache"}, {"data", data}}));
  };
  call.ask = [this, outbox = request->outbox, stop](const std::string& method, const Json& ask) {
    const auto id = asks_.Open();
    outbox->Send(RequestText(id, method, ask));
    return asks_.Wait(id, stop);
  };
  call.pause = [outbox = request->outbox] { return outbox->Pause(); };
  return call;
}

void Dispatcher::Run(const RequestPtr& request, ToolDuration duration, CallHandler handler) {
  const Json* id = Find(request->message.body, "id");
  const auto key = IdKey(*id, request->message.id);
  auto stop = request->session->in_flight.Begin(key);
  if (duration == ToolDuration::kInstant) return RunNow(request, key, stop, handler);
  const bool taken = executor_([this, request, key, stop, handler] { RunNow(request, key, stop, handler); });
  if (taken) return;
  request->session->in_flight.End(key, stop);
  Answer(request, Refuse(kInternalError, "too many calls are running: ask again when some have ended"));
}

void Dispatcher::RunNow(const RequestPtr& request, const std::string& id_key, std::stop_source stop,
                        const CallHandler& handler) {
  // In the modern era a client that went away has cancelled; before, it may come back.
  std::stop_token gone = request->meta.era == Era::kModern ? request->outbox->Gone() : std::stop_token();
  const std::stop_callback on_gone(gone, [stop]() mutable { stop.request_stop(); });
  Call call = MakeCall(request, stop.get_token());
  std::shared_ptr<ProgressSender> progress;
  if (!request->meta.progress_token.is_null()) {
    progress = std::make_shared<ProgressSender>(request->meta.progress_token, request->outbox);
    call.run.progress = [progress](const Progress& p) { progress->Report(p); };
  }
  RpcResult<Json> result = Refuse(kInternalError, "the call ended without a result");
  try {
    result = handler(call);
  } catch (const std::exception& bug) {
    // The client is told that there is a bug; what it was is for whoever reads the server's log.
    std::fprintf(stderr, "%s: an exception left %s: %s\n", catalog_.name.c_str(),
                 StringAt(request->message.Params(), "name").value_or(request->message.method).c_str(),
                 bug.what());
    result =
        Refuse(kInternalError, "internal error: an exception left the tool; please report this as a bug");
  }
  if (progress) progress->Close();
  const bool cancelled = stop.stop_requested();
  request->session->in_flight.End(id_key, stop);
  cancelled ? request->outbox->Nothing() : Answer(request, std::move(result));
}

void Dispatcher::Listen(const RequestPtr& request) {
  const Json* wanted = Find(request->message.Params(), "notifications");
  if (wanted == nullptr || !wanted->is_object()) {
    return Answer(request, Refuse(kInvalidParams, "subscriptions/listen needs notifications, an object"));
  }
  const Json& id = *Find(request->message.body, "id");
  const auto key = IdKey(id, request->message.id);
  auto stop = request->session->in_flight.Begin(key);
  const auto ended = [session = request->session, key, stop] { session->in_flight.End(key, stop); };
  if (subscriptions_.Add(request->message.id, id, *wanted, catalog_.Capabilities(Era::kModern), request->outbox,
                         stop.get_token(), ended))
    return;
  ended();
  Answer(request, Refuse(kInternalError, "too many streams are open: end some of them first"));
}

void Dispatcher::HandleTasks(const RequestPtr& request) {
  const auto& method = request->message.method;
  const Json& params = request->message.Params();
  if (!DeclaresTasks(request->meta.client_capabilities)) return Answer(request, NeedsTasks());
  const auto id = StringAt(params, "taskId").value_or("");
  if (method == "tasks/get") {
    auto task = catalog_.tasks->Get(id);
    return task ? Answer(request, std::move(*task))
                : Answer(request, Refuse(kInvalidParams, task.error().Text()));
  }
  if (method == "tasks/cancel" || method == "tasks/update") {
    const Json* responses = Find(params, "inputResponses");
    const auto done = method == "tasks/cancel"
                          ? catalog_.tasks->Cancel(id)
                          : catalog_.tasks->Update(id, responses != nullptr ? *responses : Json::object());
    return done ? Answer(request, Json::object())
                : Answer(request, Refuse(kInvalidParams, done.error().Text()));
  }
  Answer(request, Refuse(kMethodNotFound, "there is no method " + method));
}

}  // namespace helix::mcp
