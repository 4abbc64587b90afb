// MCP over Streamable HTTP: POST /mcp, without sessions. One thread owns every connection (epoll) and answers
// what needs no waiting; tools run on workers. docs/decisions says why this is not a library's server.
#pragma once
#include <memory>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "mcp/protocol/dispatcher.h"
#include "mcp/transport/http_rules.h"
#include "mcp/transport/worker_pool.h"

namespace helix::mcp {

struct HttpBinding {
  std::string host;  // numeric address, or localhost; an IPv6 address without brackets
  int port = 0;      // 0: any free one
};

// "HOST:PORT" or "[V6]:PORT".
Result<HttpBinding> ParseBinding(const std::string& text);
bool IsLoopback(const HttpBinding& binding);

class HttpServer {
 public:
  // Binds and listens. kRefused for an address beyond loopback without a token in the policy.
  static Result<std::unique_ptr<HttpServer>> Listen(const HttpBinding& binding, HttpPolicy policy);
  virtual ~HttpServer() = default;

  [[nodiscard]] virtual int port() const = 0;
  // Serves until `stop`; then what runs is cancelled, has half a second to be answered, and all is closed.
  virtual void Run(Dispatcher& dispatcher, std::stop_token stop) = 0;
};

}  // namespace helix::mcp
