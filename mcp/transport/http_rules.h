// Who may ask what: Host, Origin, bearer token, path, method, content types. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/transport/http_parser.h"

namespace helix::mcp {

struct HttpPolicy {
  // Hosts beside localhost, 127.0.0.1 and [::1] that Host and Origin may name, in lower case and without
  // port.
  std::vector<std::string> hosts;
  std::string token;  // empty: none is asked for
};

struct Refusal {
  int status;
  std::string reason;
  std::string header;  // one more response header line with its CRLF, or empty
};

// "localhost:8080" -> "localhost", "[::1]:1" -> "[::1]"; empty when it is not a plain host with an optional
// port.
std::string HostOnly(std::string_view host_and_port);
// The same of "http://localhost:8080"; anything more than scheme, host and port gives empty.
std::string OriginHost(std::string_view origin);
// Takes the same time wherever the two differ.
bool SameSecret(std::string_view given, std::string_view expected);

// Why a request is refused before its body is read; nullopt: it may go on to the dispatcher (POST /mcp).
std::optional<Refusal> CheckRequest(const HttpRequest& request, const HttpPolicy& policy);

struct Accepts {
  bool json = true;
  bool events = false;
};
// What the client takes; without an Accept header JSON alone.
Accepts AcceptedTypes(const HttpRequest& request);

}  // namespace helix::mcp
