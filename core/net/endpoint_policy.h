// Which endpoints may be called. An agent may be prompt-injected: it can never widen this.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/base/settings.h"

namespace helix::net {

struct Endpoint {
  std::string scheme;  // http or https
  std::string host;    // without brackets
  int port = 0;
  [[nodiscard]] std::string BaseUrl() const;  // scheme://host:port
};

// Reads a URL with nothing but scheme, host and port (a path of "/" or "/v1" is dropped). No user info, no other
// scheme. kInvalidArgument otherwise.
Result<Endpoint> ParseEndpoint(const std::string& url);

// A literal loopback address or "localhost" (nothing that must be resolved to find out).
bool IsLoopback(const Endpoint& endpoint);

// kRefused unless the endpoint is loopback, is the configured one, or stands on the user's list; a command line
// user (settings.from_agent false) may name any.
Result<Endpoint> CheckEndpoint(const std::string& url, const Settings& settings);

}  // namespace helix::net
