// Which endpoints may be called. An agent may be prompt-injected: it can never widen this.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/base/settings.h"

namespace helix::net {

struct Endpoint {
  std::string scheme;  // http or https
  std::string host;    // lower case, without brackets
  int port = 0;
  [[nodiscard]] std::string BaseUrl() const;  // scheme://host:port, IPv6 in brackets
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// Reads a URL with nothing but scheme, host and port (a path of "/" or "/v1" is dropped; the port defaults to
// the scheme's). kInvalidArgument for anything that two readers could read differently: user info, query,
// fragment, backslash, control or non-ASCII characters, percent signs, an address that is not in canonical
// form (decimal, octal, hexadecimal or short IPv4, IPv4 inside IPv6, zones), a trailing dot, the unspecified
// address.
Result<Endpoint> ParseEndpoint(const std::string& url);

// A literal loopback address or "localhost" (nothing that must be resolved to find out).
bool IsLoopback(const Endpoint& endpoint);

// kRefused unless the endpoint is the configured one, stands on the user's list (same scheme, host and port),
// or is loopback with a port from 1024 up; a command line user (settings.from_agent false) may name any. What
// a name resolves to is judged when the connection is opened (resolver.h).
Result<Endpoint> CheckEndpoint(const std::string& url, const Settings& settings);

}  // namespace helix::net
