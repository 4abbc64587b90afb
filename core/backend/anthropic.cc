#include "core/backend/chat_request.h"

namespace helix::backend {
namespace {

Json Marker(const ChatRequest& request) {
  Json marker = {{"type", "ephemeral"}};
  if (!request.ttl.empty()) marker["ttl"] = request.ttl;
  return marker;
}

Json TextBlock(const std::string& text) {
  return {{"type", "text"}, {"text", text}};
}

}  // namespace

std::string AnthropicBody(const ChatRequest& request) {
  Json body = {{"model", request.model}, {"max_tokens", request.output_tokens}, {"stream", true}};
  Json system = TextBlock(request.salt + request.prefix);
  if (request.temperature) body["temperature"] = *request.temperature;
  if (request.marked) system["cache_control"] = Marker(request);
  body["system"] = Json::array({system});
  Json messages = Json::array();
  for (std::size_t i = 0; i < request.turns.size(); ++i) {
    Json block = TextBlock(request.turns[i].text);
    // An empty text block cannot carry a marker: the API answers 400.
    bool last = i + 1 == request.turns.size();
    if (request.marked && last && request.turns.size() > 1 && !request.turns[i].text.empty()) {
      block["cache_control"] = Marker(request);
    }
    messages.push_back({{"role", request.turns[i].role}, {"content", Json::array({block})}});
  }
  body["messages"] = std::move(messages);
  return DumpJson(body);
}

}  // namespace helix::backend
