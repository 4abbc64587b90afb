// Which server answers, by more than a health check.
#pragma once
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/net/http_client.h"

namespace helix::consistency {

struct ServerKind {
  std::string kind;  // "llama-server", "vllm", "sglang", "ollama", "openai-compatible", "post-only-proxy"
  std::string version;
  std::string model;               // the first that the server names
  std::optional<int> granularity;  // tokens per block or page, as the server says
  Json facts = Json::object();
};

// Asks /props, /version, /server_info, /api/version and /v1/models. kProtocol when none is answered as known.
Result<ServerKind> IdentifyServer(net::HttpClient& client, const std::string& api_key,
                                  const RunContext& context);

// GET or POST of JSON with the key as bearer; `status` is set also when the body is no JSON (then null).
struct JsonReply {
  int status = 0;
  Json body;
  std::string text;
  double total_ms = 0;
};
Result<JsonReply> Ask(net::HttpClient& client, const std::string& method, const std::string& path,
                      const Json* body, const std::string& api_key, const RunContext& context);

}  // namespace helix::consistency
