#include "core/backend/llama_http.h"

#include "core/backend/llama_reply.h"

namespace helix::backend {

LlamaHttp::LlamaHttp(const std::string& base_url, std::optional<std::string> api_key, Millis timeout)
    : client_(base_url), api_key_(std::move(api_key)), timeout_(timeout) {}

net::HttpRequest LlamaHttp::PostRequest(const std::string& path, std::string body, Millis timeout) const {
  net::HttpRequest request;
  request.method = "POST";
  request.path = path;
  request.body = std::move(body);
  request.headers.emplace("content-type", "application/json");
  if (api_key_) request.headers.emplace("authorization", "Bearer " + *api_key_);
  request.stall_timeout = request.total_timeout = timeout;
  return request;
}

Result<net::HttpResponse> LlamaHttp::Get(const std::string& path, const RunContext& context) {
  net::HttpRequest request = PostRequest(path, {}, timeout_);
  request.method = "GET";
  request.headers.erase("content-type");
  return client_.Send(request, context);
}

Result<Json> LlamaHttp::GetJson(const std::string& path, const RunContext& context) {
  auto response = Get(path, context);
  if (!response) return tl::make_unexpected(std::move(response.error()));
  return ReadJsonReply(response->status, response->body);
}

Result<Json> LlamaHttp::PostJson(const std::string& path, const Json& body, const RunContext& context) {
  auto response = client_.Send(PostRequest(path, DumpJson(body), timeout_), context);
  if (!response) return tl::make_unexpected(std::move(response.error()));
  return ReadJsonReply(response->status, response->body);
}

Result<Json> ReadJsonReply(int status, const std::string& body) {
  auto json = ParseJson(body);
  if (json) {
    if (auto error = LlamaError(*json, status)) return tl::make_unexpected(std::move(*error));
  }
  if (status == 200 && json) return json;
  return Fail(ErrorCode::kProtocol, "expected JSON with status 200, got status " + std::to_string(status) +
                                        " with " +
                                        (body.empty() ? "no body" : "the body: " + Printable(body, 80)));
}

}  // namespace helix::backend
