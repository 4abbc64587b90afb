// One request on its way through the dispatcher. Private to it.
#pragma once
#include <memory>

#include "mcp/protocol/dispatcher.h"

namespace helix::mcp {

struct Dispatcher::Request {
  Message message;
  RequestMeta meta;
  std::shared_ptr<Session> session;
  std::shared_ptr<Outbox> outbox;
};

}  // namespace helix::mcp
