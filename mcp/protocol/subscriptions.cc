#include "mcp/protocol/subscriptions.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/request_meta.h"

namespace helix::mcp {
namespace {

constexpr std::size_t kMostStreams = 2048;  // as many as there can be connections
constexpr const char* kChanging[] = {"tools", "prompts", "resources"};
constexpr const char* kLists[] = {"resourceSubscriptions", "taskIds"};

Json Granted(const Json& wanted, const Json& capabilities) {
  Json granted = Json::object();
  for (const std::string list : kChanging) {
    const std::string flag = list + "ListChanged";
    if (BoolAt(wanted, flag).value_or(false) && BoolAt(capabilities, list + "/listChanged").value_or(false))
      granted[flag] = true;
  }
  for (const char* list : kLists) {
    const Json* items = Find(wanted, list);
    if (items != nullptr && items->is_array() && !items->empty()) granted[list] = *items;
  }
  return granted;
}

Json WithId(Json params, const Json& id) {
  params["_meta"][kSubscriptionKey] = id;
  return params;
}

bool Wants(const Json& granted, const std::string& member, const std::string& key) {
  const Json* value = Find(granted, member);
  if (value == nullptr) return false;
  if (value->is_boolean()) return true;
  return std::find(value->begin(), value->end(), Json(key)) != value->end();
}

}  // namespace

bool Subscriptions::Add(const std::string& id_text, const Json& id, const Json& wanted,
                        const Json& capabilities, std::shared_ptr<Outbox> outbox, std::stop_token stop,
                        std::function<void()> dropped) {
  const Json granted = Granted(wanted, capabilities);
  const std::lock_guard lock(mutex_);
  DropStopped();
  if (streams_.size() >= kMostStreams) return false;
  outbox->Send(NotificationText("notifications/subscriptions/acknowledged",
                                WithId(Json{{"notifications", granted}}, id)));
  streams_.push_back({id_text, id, granted, std::move(outbox), std::move(stop), std::move(dropped)});
  return true;
}

void Subscriptions::DropStopped() {
  for (auto it = streams_.begin(); it != streams_.end();) {
    if (!it->stop.stop_requested() && !it->outbox->Gone().stop_requested()) {
      ++it;
      continue;
    }
    it->outbox->Nothing();
    it->dropped();
    it = streams_.erase(it);
  }
}

void Subscriptions::Publish(const std::string& member, const std::string& key, const std::string& method,
                            const Json& params) {
  const std::lock_guard lock(mutex_);
  DropStopped();
  for (const auto& stream : streams_) {
    if (Wants(stream.granted, member, key))
      stream.outbox->Send(NotificationText(method, WithId(params, stream.id)));
  }
}

void Subscriptions::FinishAll() {
  const std::lock_guard lock(mutex_);
  DropStopped();
  for (const auto& stream : streams_) {
    const Json result = WithId(Json{{"resultType", "complete"}}, stream.id);
    stream.outbox->Reply(ResultText(stream.id_text, DumpJson(result)), 200);
    stream.dropped();
  }
  streams_.clear();
}

bool Subscriptions::Any() {
  const std::lock_guard lock(mutex_);
  DropStopped();
  return !streams_.empty();
}

}  // namespace helix::mcp
