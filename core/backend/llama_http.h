// The HTTP side of a llama-server: API key, JSON in and out, the server's errors as ours.
#pragma once
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/net/http_client.h"

namespace helix::backend {

// Not thread-safe. The key goes into a header of each request and nowhere else.
class LlamaHttp {
 public:
  LlamaHttp(const std::string& base_url, std::optional<std::string> api_key, Millis timeout = Millis{30'000});

  // Any status is a reply.
  Result<net::HttpResponse> Get(const std::string& path, const RunContext& context);
  // The JSON body of a 200 reply; the server's own error otherwise.
  Result<Json> GetJson(const std::string& path, const RunContext& context);
  Result<Json> PostJson(const std::string& path, const Json& body, const RunContext& context);

  net::HttpRequest PostRequest(const std::string& path, std::string body, Millis timeout) const;
  net::HttpClient& client() { return client_; }

 private:
  net::HttpClient client_;
  std::optional<std::string> api_key_;
  Millis timeout_;
};

// 200 with a JSON body gives the JSON; everything else an Error that says what came instead.
Result<Json> ReadJsonReply(int status, const std::string& body);

}  // namespace helix::backend
