#include "mcp/protocol/dispatcher.h"

#include "core/base/json_fields.h"
#include "mcp/protocol/batch_outbox.h"
#include "mcp/protocol/methods.h"
#include "mcp/protocol/raw_member.h"
#include "mcp/protocol/request.h"

namespace helix::mcp {
namespace {

constexpr int kStatusBadRequest = 400;

bool IsCacheable(const std::string& method) {
  return method == "server/discover" || method == "tools/list" || method == "prompts/list" ||
         method == "resources/list" || method == "resources/templates/list" || method == "resources/read";
}

// Lists of tools and prompts are fixed for a build; reports appear while the server runs.
int TimeToLiveMs(const std::string& method) {
  return method.rfind("resources/", 0) == 0 ? 0 : 3'600'000;
}

int StatusOf(const RpcError& error, Era era) {
  if (era == Era::kLegacy) return 200;
  if (error.code == kMethodNotFound) return 404;
  const bool header = error.code == kHeaderMismatch || error.code == kMissingClientCapability ||
                      error.code == kUnsupportedVersion;
  return header ? kStatusBadRequest : 200;
}

}  // namespace

Dispatcher::Dispatcher(Catalog catalog, Executor executor)
    : catalog_(std::move(catalog)), executor_(std::move(executor)) {}

Dispatcher::~Dispatcher() = default;

void Dispatcher::Receive(const std::shared_ptr<Session>& session, std::string_view text,
                         const std::shared_ptr<Outbox>& outbox, const Headers* headers) {
  Message message = ReadMessage(text);
  if (message.kind == MessageKind::kBatch) return HandleBatch(session, message, text, outbox, headers);
  Handle(session, std::move(message), outbox, headers);
}

void Dispatcher::HandleBatch(const std::shared_ptr<Session>& session, const Message& batch,
                             std::string_view text, const std::shared_ptr<Outbox>& outbox, const Headers* headers) {
  std::string version = session->Version();
  if (headers != nullptr) {
    const auto* named = FindHeader(*headers, "mcp-protocol-version");
    version = named != nullptr ? *named : std::string(kAssumedVersion);
  }
  if (!AllowsBatches(version) || batch.body.empty()) {
    const RpcError error{kInvalidRequest,
                         AllowsBatches(version) ? "the batch is empty: send at least one message in it"
                                                : "arrays of messages exist in revision 2025-03-26 only",
                         nullptr};
    return outbox->Reply(ErrorText("null", error), kStatusBadRequest);
  }
  auto collector = std::make_shared<BatchOutbox>(outbox, batch.body.size());
  const auto texts = RawElements(text);
  for (std::size_t i = 0; i < batch.body.size(); ++i) {
    const std::string_view part = i < texts.size() ? texts[i] : std::string_view();
    Handle(session, ReadMessage(batch.body[i], part), collector, headers);
  }
}

void Dispatcher::Handle(const std::shared_ptr<Session>& session, Message message,
                        const std::shared_ptr<Outbox>& outbox, const Headers* headers) {
  if (message.kind == MessageKind::kInvalid || message.kind == MessageKind::kBatch) {
    if (message.kind == MessageKind::kBatch)
      message.error = {kInvalidRequest, "a batch inside a batch", nullptr};
    return outbox->Reply(ErrorText(message.id, message.error), kStatusBadRequest);
  }
  if (headers != nullptr && message.kind != MessageKind::kResponse) {
    if (auto ok = CheckHeaders(*headers, message, catalog_); !ok) {
      return outbox->Reply(ErrorText(message.id, ok.error()), kStatusBadRequest);
    }
  }
  if (message.kind != MessageKind::kRequest) {
    if (message.kind == MessageKind::kNotification) HandleNotification(*session, message);
    if (message.kind == MessageKind::kResponse)
      asks_.Answer(StringAt(message.body, "id").value_or(""), message.body);
    return outbox->Nothing();
  }
  auto meta = ReadMeta(message.Params());
  if (!meta) return outbox->Reply(ErrorText(message.id, meta.error()), kStatusBadRequest);
  auto request = std::make_shared<Request>(Request{std::move(message), std::move(*meta), session, outbox});
  request->meta.era == Era::kModern ? HandleModern(request) : HandleLegacy(request);
}

void Dispatcher::HandleNotification(Session& session, const Message& message) {
  if (message.method != "notifications/cancelled") return;
  const Json* id = Find(message.Params(), "requestId");
  if (id != nullptr && (id->is_string() || id->is_number()))
    session.in_flight.Cancel(IdKey(*id, DumpJson(*id)));
}

void Dispatcher::Answer(const RequestPtr& request, RpcResult<Json> result) {
  const auto& message = request->message;
  if (!result) {
    request->outbox->Reply(ErrorText(message.id, result.error()),
                           StatusOf(result.error(), request->meta.era));
    return;
  }
  Json& value = *result;
  if (request->meta.era == Era::kModern) {
    if (!value.contains("resultType")) value["resultType"] = "complete";
    if (IsCacheable(message.method)) {
      value["ttlMs"] = TimeToLiveMs(message.method);
      value["cacheScope"] = message.method.rfind("resources/", 0) == 0 ? "private" : "public";
    }
    value["_meta"][kServerInfoKey] = catalog_.ServerInfo();
  }
  request->outbox->Reply(ResultText(message.id, DumpJson(value)), 200);
}

RpcResult<Json> Dispatcher::Initialize(Session& session, const Json& params) {
  const auto version = NegotiateLegacy(StringAt(params, "protocolVersion").value_or(""));
  session.Initialized(version);
  Json result{{"protocolVersion", version},
              {"capabilities", catalog_.Capabilities(Era::kLegacy)},
              {"serverInfo", catalog_.ServerInfo()}};
  if (!catalog_.instructions.empty()) result["instructions"] = catalog_.instructions;
  return result;
}

Json Dispatcher::Discover() const {
  Json versions = Json::array({kModernVersion});
  for (const auto version : kLegacyVersions) versions.push_back(version);
  Json result{{"supportedVersions", std::move(versions)},
              {"capabilities", catalog_.Capabilities(Era::kModern)}};
  if (!catalog_.instructions.empty()) result["instructions"] = catalog_.instructions;
  return result;
}

void Dispatcher::HandleLegacy(const RequestPtr& request) {
  const auto& method = request->message.method;
  const Json& params = request->message.Params();
  if (method == "initialize") return Answer(request, Initialize(*request->session, params));
  if (method == "ping") return Answer(request, Json::object());
  if (HandleShared(request)) return;
  if (method == "logging/setLevel") {
    const auto level = StringAt(params, "level").value_or("");
    if (LogSeverity(level) < 0) {
      return Answer(request,
                    tl::make_unexpected(RpcError{kInvalidParams, "unknown log level " + level, nullptr}));
    }
    request->session->SetLogLevel(level);
    return Answer(request, Json::object());
  }
  if ((method == "resources/subscribe" || method == "resources/unsubscribe") && catalog_.resources) {
    // Reports never change once they are written, so there is never an update to send.
    return Answer(request, Json::object());
  }
  Answer(request, tl::make_unexpected(RpcError{kMethodNotFound, "there is no method " + method, nullptr}));
}

void Dispatcher::HandleModern(const RequestPtr& request) {
  const auto& method = request->message.method;
  if (method == "server/discover" && request->session->Version().empty()) return Answer(request, Discover());
  if (method == "subscriptions/listen") return Listen(request);
  if (method.rfind("tasks/", 0) == 0 && catalog_.tasks) return HandleTasks(request);
  if (HandleShared(request)) return;
  Answer(request, tl::make_unexpected(RpcError{kMethodNotFound, "there is no method " + method, nullptr}));
}

bool Dispatcher::HandleShared(const RequestPtr& request) {
  const auto& method = request->message.method;
  const Json& params = request->message.Params();
  if (method == "tools/call") {
    CallTool(request);
  } else if (method == "tools/list") {
    Answer(request, ListTools(catalog_, params));
  } else if (method == "prompts/list") {
    Answer(request, ListPrompts(catalog_, params));
  } else if (method == "prompts/get") {
    Run(request, ToolDuration::kInstant,
        [this, &params](Call& call) { return GetPrompt(catalog_, params, call); });
  } else if (method == "resources/templates/list") {
    Answer(request, ListResourceTemplates(catalog_, params));
    // The rest reads files, and the thread that reads messages must not wait for a disk.
  } else if (method == "resources/list") {
    Run(request, ToolDuration::kShort, [this, &params](Call&) { return ListResources(catalog_, params); });
  } else if (method == "resources/read") {
    Run(request, ToolDuration::kShort,
        [this, &params, era = request->meta.era](Call&) { return ReadResource(catalog_, params, era); });
  } else if (method == "completion/complete") {
    Run(request, ToolDuration::kShort, [this, &params](Call&) { return CompleteArgument(catalog_, params); });
  } else {
    return false;
  }
  return true;
}

void Dispatcher::ListChanged(const std::string& list) {
  subscriptions_.Publish(list + "ListChanged", "", "notifications/" + list + "/list_changed", Json::object());
}

void Dispatcher::TaskChanged(const std::string& task_id) {
  if (!catalog_.tasks || !subscriptions_.Any()) return;
  auto task = catalog_.tasks->Get(task_id);
  if (task) subscriptions_.Publish("taskIds", task_id, "notifications/tasks", *task);
}

void Dispatcher::Stop(Session& session) {
  subscriptions_.FinishAll();  // first: cancelled ones would end without their result
  session.in_flight.CancelAll();
}

}  // namespace helix::mcp
