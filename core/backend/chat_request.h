// One hosted call, before it is put into a provider's form.
#pragma once
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
  int output_tokens = 64;  // the most that may be generated
};

// The exact bytes to send, streaming. The same request gives the same bytes.
std::string AnthropicBody(const ChatRequest& request);
std::string OpenAiChatBody(const ChatRequest& request, bool takes_markers);

}  // namespace helix::backend
