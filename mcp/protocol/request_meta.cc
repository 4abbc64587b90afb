#include "mcp/protocol/request_meta.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/json_fields.h"

namespace helix::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

const Json* Meta(const Json& params) {
  const Json* meta = Find(params, "_meta");
  return meta != nullptr && meta->is_object() ? meta : nullptr;
}

}  // namespace

RpcError UnsupportedVersion(const Json& requested) {
  Json supported = Json::array({kModernVersion});
  for (const auto version : kLegacyVersions) supported.push_back(version);
  return {kUnsupportedVersion, "this server does not speak that protocol version",
          Json{{"supported", std::move(supported)}, {"requested", requested}}};
}

std::optional<std::string> ModernVersion(const Json& params) {
  const Json* meta = Meta(params);
  const Json* version = meta != nullptr ? Find(*meta, kVersionKey) : nullptr;
  if (version == nullptr) return std::nullopt;
  return version->is_string() ? version->get<std::string>() : DumpJson(*version);
}

RpcResult<RequestMeta> ReadMeta(const Json& params) {
  RequestMeta meta;
  const Json* raw = Meta(params);
  if (raw == nullptr) return meta;
  if (const Json* token = Find(*raw, "progressToken");
      token != nullptr && (token->is_string() || token->is_number())) {
    meta.progress_token = *token;
  }
  const Json* version = Find(*raw, kVersionKey);
  if (version == nullptr) return meta;
  meta.era = Era::kModern;
  if (*version != kModernVersion) return tl::make_unexpected(UnsupportedVersion(*version));
  const Json* capabilities = Find(*raw, "io.modelcontextprotocol/clientCapabilities");
  if (capabilities == nullptr || !capabilities->is_object()) {
    return tl::make_unexpected(RpcError{
        kInvalidParams, "_meta must hold io.modelcontextprotocol/clientCapabilities, an object", nullptr});
  }
  meta.client_capabilities = *capabilities;
  if (const Json* level = Find(*raw, "io.modelcontextprotocol/logLevel"); level != nullptr) {
    const auto word = level->is_string() ? level->get<std::string>() : DumpJson(*level);
    if (LogSeverity(word) < 0) {
      return tl::make_unexpected(RpcError{kInvalidParams, "unknown log level " + word, nullptr});
    }
    meta.log_level = word;
  }
  return meta;
}

int LogSeverity(const std::string& level) {
  const auto* found = std::find(kLevels.begin(), kLevels.end(), level);
  return found != kLevels.end() ? static_cast<int>(found - kLevels.begin()) : -1;
}

bool DeclaresTasks(const Json& client_capabilities) {
  const Json* extensions = Find(client_capabilities, "extensions");
  return extensions != nullptr && Find(*extensions, kTasksExtension) != nullptr;
}

}  // namespace helix::mcp
