#include "core/backend/router_identity.h"

#include "core/base/json_fields.h"

namespace helix::backend {
namespace {

std::string BodyOf(net::HttpClient& http, const std::string& path, const RunContext& context) {
  net::HttpRequest request;
  request.path = path;
  request.stall_timeout = Millis{5000};
  request.total_timeout = Millis{5000};
  request.max_bytes = std::size_t{4} << 20;
  auto response = http.Send(request, context);
  return response && response->status == 200 ? response->body : std::string();
}

Json ObjectOf(const std::string& body) {
  auto json = ParseJson(body);
  return json && json->is_object() ? *json : Json::object();
}

}  // namespace

const char* AnswererName(Answerer answerer) {
  switch (answerer) {
    case Answerer::kLlamaServer:
      return "llama-server";
    case Answerer::kCcr2:
      return "ccr2";
    case Answerer::kCcr3:
      return "ccr3";
    case Answerer::kCcrGo:
      return "ccr-go";
    case Answerer::kUnknown:
      return "unknown";
  }
  return "unknown";
}

bool IsRouter(Answerer answerer) {
  return answerer == Answerer::kCcr2 || answerer == Answerer::kCcr3 || answerer == Answerer::kCcrGo;
}

Answerer JudgeAnswerer(const std::string& root, const std::string& health, const std::string& props) {
  const Json props_json = ObjectOf(props);
  if (Find(props_json, "build_info") != nullptr ||
      Find(props_json, "default_generation_settings") != nullptr) {
    return Answerer::kLlamaServer;
  }
  const Json health_json = ObjectOf(health);
  if (Find(health_json, "runtimeId") != nullptr || Find(health_json, "core") != nullptr)
    return Answerer::kCcr3;
  if (StringAt(ObjectOf(root), "message") == "LLMs API") return Answerer::kCcr2;
  bool counts_providers = IntAt(health_json, "providers").has_value();
  return counts_providers && StringAt(health_json, "status") == "ok" ? Answerer::kCcrGo : Answerer::kUnknown;
}

Answerer IdentifyAnswerer(const std::string& origin, const RunContext& context) {
  net::HttpClient http(origin);
  const std::string props = BodyOf(http, "/props", context);
  const std::string health = BodyOf(http, "/health", context);
  return JudgeAnswerer(BodyOf(http, "/", context), health, props);
}

}  // namespace helix::backend
