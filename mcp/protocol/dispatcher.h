// The protocol, without any input or output: a message in, messages out through an Outbox. Knows no
// transport.
#pragma once
#include <functional>
#include <memory>
#include <string_view>

#include "mcp/protocol/catalog.h"
#include "mcp/protocol/http_binding.h"
#include "mcp/protocol/outbox.h"
#include "mcp/protocol/pending_asks.h"
#include "mcp/protocol/request_meta.h"
#include "mcp/protocol/session.h"
#include "mcp/protocol/subscriptions.h"

namespace helix::mcp {

// Runs work away from the thread that reads messages; false when it can take no more.
using Executor = std::function<bool(std::function<void()>)>;

// Thread-safe.
class Dispatcher {
 public:
  Dispatcher(Catalog catalog, Executor executor);
  ~Dispatcher();

  // One message, or one batch where the revision has them. Returns without waiting for tools. `headers`: what
  // the HTTP request carried; nullptr on other transports.
  void Receive(const std::shared_ptr<Session>& session, std::string_view text,
               const std::shared_ptr<Outbox>& outbox, const Headers* headers = nullptr);

  // Tells listeners that a list changed: "tools", "prompts" or "resources".
  void ListChanged(const std::string& list);
  // Tells those who listen for it that a task has changed.
  void TaskChanged(const std::string& task_id);
  // Ends the streams that stay open and cancels what runs in `session`.
  void Stop(Session& session);

  [[nodiscard]] const Catalog& catalog() const { return catalog_; }

 private:
  struct Request;
  using RequestPtr = std::shared_ptr<Request>;

  void Handle(const std::shared_ptr<Session>& session, Message message, const std::shared_ptr<Outbox>& outbox,
              const Headers* headers);
  void HandleBatch(const std::shared_ptr<Session>& session, const Message& batch, std::string_view text,
                   const std::shared_ptr<Outbox>& outbox, const Headers* headers);
  void HandleNotification(Session& session, const Message& message);
  void HandleLegacy(const RequestPtr& request);
  void HandleModern(const RequestPtr& request);
  // The methods that both eras have; false: not one of them.
  bool HandleShared(const RequestPtr& request);
  void HandleTasks(const RequestPtr& request);
  void CallTool(const RequestPtr& request);
  void Listen(const RequestPtr& request);
  // Runs the handler of a call, here or on a worker, and answers.
  void Run(const RequestPtr& request, ToolDuration duration, CallHandler handler);
  void RunNow(const RequestPtr& request, const std::string& id_key, std::stop_source stop,
              const CallHandler& handler);
  Call MakeCall(const RequestPtr& request, std::stop_token stop);
  void Answer(const RequestPtr& request, RpcResult<Json> result);

  RpcResult<Json> Initialize(Session& session, const Json& params);
  Json Discover() const;

  const Catalog catalog_;
  const Executor executor_;
  PendingAsks asks_;
  Subscriptions subscriptions_;
};

}  // namespace helix::mcp
