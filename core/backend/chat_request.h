// One hosted call, before it is put into a provider's form.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/backend/provider_profile.h"
#include "core/base/json.h"

namespace helix::backend {

struct Turn {
  std::string role;  // "user" or "assistant"
  std::string text;
};

struct ChatRequest {
  std::string model;
  std::string salt;    // put before everything else, so that nothing can be shared with another call
  std::string prefix;  // the system text
  std::vector<Turn> turns;
  bool marked = false;  // cache_control on the prefix and on the last turn, where the provider reads markers
  std::string ttl;      // "" (5m) or "1h"
  int output_tokens = 64;             // the most that may be generated
  std::optional<double> temperature;  // absent: not sent, since some hosted models refuse it
  // llama-server's own switch, on its chat route alone; absent: not sent.
  std::optional<bool> cache_prompt;
};

// The exact bytes to send, streaming. The same request gives the same bytes.
std::string AnthropicBody(const ChatRequest& request);
struct ChatForm {
  bool takes_markers = false;
  bool max_completion_tokens = false;  // the limit's newer name; the older one is refused by some models
};
std::string OpenAiChatBody(const ChatRequest& request, const ChatForm& form);

}  // namespace helix::backend
