// params._meta: what a request says of itself.
#pragma once
#include <optional>
#include <string>

#include "core/base/json.h"
#include "mcp/protocol/catalog.h"

namespace helix::mcp {

inline constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* kServerInfoKey = "io.modelcontextprotocol/serverInfo";
inline constexpr const char* kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";
inline constexpr const char* kTasksExtension = "io.modelcontextprotocol/tasks";

struct RequestMeta {
  Era era = Era::kLegacy;
  Json client_capabilities = Json::object();
  std::optional<std::string> log_level;
  Json progress_token;  // null: none; else a string or an integer, to be sent back as it came
};

// The modern version named in the request; nullopt means a legacy request.
std::optional<std::string> ModernVersion(const Json& params);

// -32022 with the list of versions that there are.
RpcError UnsupportedVersion(const Json& requested);

// Reads _meta. Errors: an unknown version (-32022 with what there is), missing clientCapabilities, an unknown
// log level (-32602).
RpcResult<RequestMeta> ReadMeta(const Json& params);

// The eight syslog levels; the index grows with severity, -1 for anything else.
int LogSeverity(const std::string& level);

bool DeclaresTasks(const Json& client_capabilities);

}  // namespace helix::mcp
