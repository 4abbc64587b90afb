#include "core/consistency/server_kind.h"

#include <cstdlib>
#include <utility>

#include "core/base/json_fields.h"

namespace helix::consistency {
namespace {

using Get = Result<JsonReply>;

class Asker {
 public:
  Asker(net::HttpClient& client, const std::string& key, const RunContext& context)
      : client_(client), key_(key), context_(context) {}
  Get operator()(const std::string& path) { return Ask(client_, "GET", path, nullptr, key_, context_); }

 private:
  net::HttpClient& client_;
  const std::string& key_;
  const RunContext& context_;
};

bool Good(const Get& reply) {
  return reply && reply->status == 200 && reply->body.is_object();
}

std::string FirstModel(Asker& ask) {
  const auto models = ask("/v1/models");
  if (!Good(models)) return "";
  const Json* list = Find(models->body, "data");
  return list && list->is_array() && !list->empty() ? StringAt(list->front(), "id").value_or("") : "";
}

// block_size="16" in the labels of vllm:cache_config_info.
std::optional<int> VllmBlock(Asker& ask) {
  const auto metrics = ask("/metrics");
  if (!metrics || metrics->status != 200) return std::nullopt;
  const std::string mark = "block_size=\"";
  const std::size_t info = metrics->text.find("vllm:cache_config_info");
  const std::size_t at = info == std::string::npos ? info : metrics->text.find(mark, info);
  if (at == std::string::npos) return std::nullopt;
  const int size = std::atoi(metrics->text.c_str() + at + mark.size());
  return size > 0 ? std::optional(size) : std::nullopt;
}

std::optional<ServerKind> Llama(Asker& ask) {
  const auto props = ask("/props");
  if (!Good(props) || !Find(props->body, "default_generation_settings")) return std::nullopt;
  ServerKind found{"llama-server", StringAt(props->body, "build_info").value_or(""), "", 1, Json::object()};
  found.facts["total_slots"] = OrNull(IntAt(props->body, "total_slots"));
  found.model = FirstModel(ask);
  return found;
}

std::optional<ServerKind> Sglang(Asker& ask) {
  for (const char* path : {"/server_info", "/get_server_info"}) {
    const auto info = ask(path);
    if (!Good(info) || !(Find(info->body, "disable_radix_cache") || Find(info->body, "page_size"))) continue;
    ServerKind found{"sglang", StringAt(info->body, "version").value_or(""), FirstModel(ask), std::nullopt,
                     Json::object()};
    if (const auto page = IntAt(info->body, "page_size")) found.granularity = static_cast<int>(*page);
    for (const char* key : {"disable_radix_cache", "attention_backend", "enable_cache_report"})
      if (const Json* value = Find(info->body, key)) found.facts[key] = *value;
    return found;
  }
  return std::nullopt;
}

std::optional<ServerKind> Ollama(Asker& ask) {
  const auto version = ask("/api/version");
  if (!Good(version) || !Find(version->body, "version")) return std::nullopt;
  ServerKind found{"ollama", StringAt(version->body, "version").value_or(""), "", std::nullopt,
                   Json::object()};
  if (const auto tags = ask("/api/tags"); Good(tags))
    if (const Json* list = Find(tags->body, "models"); list && list->is_array() && !list->empty())
      found.model = StringAt(list->front(), "name").value_or("");
  return found;
}

std::optional<ServerKind> Vllm(Asker& ask) {
  const auto version = ask("/version");
  if (!Good(version) || !Find(version->body, "version")) return std::nullopt;
  ServerKind found{"vllm", StringAt(version->body, "version").value_or(""), FirstModel(ask), std::nullopt,
                   Json::object()};
  found.granularity = VllmBlock(ask);
  return found;
}

}  // namespace

Result<JsonReply> Ask(net::HttpClient& client, const std::string& method, const std::string& path,
                      const Json* body, const std::string& api_key, const RunContext& context) {
  net::HttpRequest request;
  request.method = method;
  request.path = path;
  if (!api_key.empty()) request.headers.emplace("authorization", "Bearer " + api_key);
  if (body) {
    request.headers.emplace("content-type", "application/json");
    request.body = DumpJson(*body);
  }
  auto response = client.Send(request, context);
  if (!response) return tl::make_unexpected(response.error());
  JsonReply reply;
  reply.status = response->status;
  reply.total_ms = static_cast<double>(response->t_end_ns - response->t_send_ns) / 1e6;
  if (auto value = ParseJson(response->body)) reply.body = std::move(*value);
  reply.text = std::move(response->body);
  return reply;
}

Result<ServerKind> IdentifyServer(net::HttpClient& client, const std::string& api_key,
                                  const RunContext& context) {
  Asker ask(client, api_key, context);
  const auto first = ask("/health");
  if (!first) return tl::make_unexpected(first.error());
  if (first->status == 503)
    return Fail(ErrorCode::kUnavailable, "the server is still loading its model",
                "ask again when it is ready");
  for (auto* kind : {&Llama, &Sglang, &Ollama, &Vllm})
    if (auto found = (*kind)(ask)) return *found;
  const auto models = ask("/v1/models");
  if (!models) return tl::make_unexpected(models.error());
  if (first->status == 405 || models->status == 405)
    return ServerKind{"post-only-proxy", "", "", std::nullopt, Json::object()};
  if (Good(models) && Find(models->body, "data"))
    return ServerKind{"openai-compatible", "", FirstModel(ask), std::nullopt, Json::object()};
  return Fail(
      ErrorCode::kProtocol,
      "the endpoint answers as none of llama-server, vLLM, SGLang, Ollama or an OpenAI-compatible server",
      "name the address of the model server itself");
}

}  // namespace helix::consistency
