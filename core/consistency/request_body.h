// One request to a model, whatever its wire shape: which part is the model, the tools, the system text, the
// history.
#pragma once
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"

namespace helix::consistency {

enum class BodyShape { kAnthropic, kOpenAiChat, kOpenAiResponses, kRawPrompt };
const char* BodyShapeName(BodyShape shape);  // "anthropic", "openai_chat", "openai_responses", "raw_prompt"

// The parts in the order in which first_divergence is looked for.
enum class Part { kModel, kTools, kSystem, kMessages };

struct RequestBody {
  BodyShape shape = BodyShape::kOpenAiChat;
  Json body;                 // as sent
  std::string tools_key;     // "tools" or "functions"
  std::string system_key;    // "system" or "instructions"
  std::string messages_key;  // "messages", "input" or "prompt"

  // The part's value, or nullptr when the body has none. Borrowed from `body`.
  [[nodiscard]] const Json* Get(Part part) const;
  // The JSON pointer of the part: "/tools".
  [[nodiscard]] std::string Pointer(Part part) const;
};

// Recognises the shape by its fields. kInvalidArgument, with what was expected, when `body` is no request.
Result<RequestBody> ReadRequestBody(Json body);

// A pointer one step further, with '~' and '/' escaped as RFC 6901 wants.
std::string PointerTo(const std::string& pointer, const std::string& key);
std::string PointerTo(const std::string& pointer, std::size_t index);

}  // namespace helix::consistency
