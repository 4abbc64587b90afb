#include "core/consistency/request_body.h"

#include <utility>

#include "core/base/json_fields.h"

namespace helix::consistency {
namespace {

bool HasAnthropicTool(const Json& body) {
  const Json* tools = Find(body, "tools");
  return tools && tools->is_array() && !tools->empty() && Find(tools->front(), "input_schema");
}

BodyShape ShapeOf(const Json& body) {
  if (Find(body, "messages")) {
    const bool anthropic = Find(body, "system") || HasAnthropicTool(body) || Find(body, "anthropic_version");
    return anthropic ? BodyShape::kAnthropic : BodyShape::kOpenAiChat;
  }
  return Find(body, "input") ? BodyShape::kOpenAiResponses : BodyShape::kRawPrompt;
}

const char* MessagesKey(BodyShape shape) {
  if (shape == BodyShape::kOpenAiResponses) return "input";
  return shape == BodyShape::kRawPrompt ? "prompt" : "messages";
}

}  // namespace

const char* BodyShapeName(BodyShape shape) {
  switch (shape) {
    case BodyShape::kAnthropic:
      return "anthropic";
    case BodyShape::kOpenAiChat:
      return "openai_chat";
    case BodyShape::kOpenAiResponses:
      return "openai_responses";
    case BodyShape::kRawPrompt:
      return "raw_prompt";
  }
  return "unknown";
}

const Json* RequestBody::Get(Part part) const {
  const std::string key = Pointer(part).substr(1);
  return key.empty() ? nullptr : Find(body, key);
}

std::string RequestBody::Pointer(Part part) const {
  switch (part) {
    case Part::kModel:
      return "/model";
    case Part::kTools:
      return "/" + tools_key;
    case Part::kSystem:
      return "/" + system_key;
    case Part::kMessages:
      return "/" + messages_key;
  }
  return "/";
}

Result<RequestBody> ReadRequestBody(Json body) {
  if (const Json* inner = Find(body, "body"); inner && inner->is_object() && !Find(body, "messages")) {
    Json unwrapped = *inner;
    body = std::move(unwrapped);
  }
  const bool known = Find(body, "messages") || Find(body, "input") || Find(body, "prompt");
  if (!known)
    return Fail(ErrorCode::kInvalidArgument,
                "expected a request body with messages, input or prompt, and found none of them",
                "give the JSON object that is sent to the model, as captured on the wire");
  RequestBody request;
  request.shape = ShapeOf(body);
  request.tools_key = Find(body, "tools") || !Find(body, "functions") ? "tools" : "functions";
  request.system_key = request.shape == BodyShape::kOpenAiResponses ? "instructions" : "system";
  request.messages_key = MessagesKey(request.shape);
  request.body = std::move(body);
  return request;
}

std::string PointerTo(const std::string& pointer, const std::string& key) {
  std::string result = pointer + "/";
  for (char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::string PointerTo(const std::string& pointer, std::size_t index) {
  return pointer + "/" + std::to_string(index);
}

}  // namespace helix::consistency
