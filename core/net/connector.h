// Opens the connection of one client: resolve once, judge, pin, connect, TLS.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/net/endpoint_policy.h"
#include "core/net/resolver.h"
#include "core/net/socket_stream.h"

namespace helix::net {

// Not thread-safe. The addresses of the first resolution are kept for the connector's life, so a name cannot
// start to point elsewhere in the middle of a run.
class Connector {
 public:
  Connector(Endpoint endpoint, Resolver resolver, std::string ca_file)
      : endpoint_(std::move(endpoint)), resolver_(std::move(resolver)), ca_file_(std::move(ca_file)) {}

  // kUnavailable names the endpoint and the reason of the last address tried.
  Result<std::unique_ptr<ByteStream>> Open(const IoLimits& limits);
  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }

 private:
  Endpoint endpoint_;
  Resolver resolver_;
  std::string ca_file_;
  std::vector<IpAddress> pinned_;
};

}  // namespace helix::net
