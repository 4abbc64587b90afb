#include "core/backend/chat_request.h"

namespace helix::backend {

std::string OpenAiChatBody(const ChatRequest& request, const ChatForm& form) {
  Json body = {{"model", request.model}, {"stream", true}};
  body[form.max_completion_tokens ? "max_completion_tokens" : "max_tokens"] = request.output_tokens;
  if (request.temperature) body["temperature"] = *request.temperature;
  if (request.cache_prompt) body["cache_prompt"] = *request.cache_prompt;
  // Without this no usage is sent at all; it comes after the finish reason.
  body["stream_options"] = {{"include_usage", true}};
  Json system = {{"role", "system"}, {"content", request.salt + request.prefix}};
  if (request.marked && form.takes_markers) {
    Json block = {{"type", "text"}, {"text", request.salt + request.prefix}};
    block["cache_control"] = {{"type", "ephemeral"}};
    system["content"] = Json::array({block});
  }
  Json messages = Json::array({system});
  for (const auto& turn : request.turns) messages.push_back({{"role", turn.role}, {"content", turn.text}});
  body["messages"] = std::move(messages);
  return DumpJson(body);
}

}  // namespace helix::backend
