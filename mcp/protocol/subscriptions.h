// subscriptions/listen: streams that stay open and carry change notifications.
#pragma once
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "core/base/json.h"
#include "mcp/protocol/outbox.h"

namespace helix::mcp {

// Thread-safe.
class Subscriptions {
 public:
  // Acknowledges what it will send (of `wanted` what `capabilities` offer), then keeps the stream until
  // `stop` or until its client is gone; `dropped` is called then. `id` is the listen request's id in its own
  // text and type. False when too many streams are open.
  bool Add(const std::string& id_text, const Json& id, const Json& wanted, const Json& capabilities,
           std::shared_ptr<Outbox> outbox, std::stop_token stop, std::function<void()> dropped);
  // Sends `method` to every stream that asked for `member` (toolsListChanged ...), or, where it is
  // resourceSubscriptions or taskIds, that named `key`.
  void Publish(const std::string& member, const std::string& key, const std::string& method,
               const Json& params);
  // Ends every stream with its final result.
  void FinishAll();
  [[nodiscard]] bool Any();

 private:
  struct Stream {
    std::string id_text;
    Json id;
    Json granted;
    std::shared_ptr<Outbox> outbox;
    std::stop_token stop;
    std::function<void()> dropped;
  };
  void DropStopped();

  std::mutex mutex_;
  std::list<Stream> streams_;
};

}  // namespace helix::mcp
