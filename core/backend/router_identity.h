// Which program answers at an endpoint, as far as it says so itself. A router in between changes what a
// measurement means: it may drop markers, usage and streaming.
#pragma once
#include <string>

#include "core/backend/hosted.h"

namespace helix::backend {

enum class Answerer {
  kUnknown,
  kLlamaServer,  // /props with build_info or a chat template
  kCcr2,         // claude-code-router 2.x: GET / says "LLMs API"
  kCcr3,         // claude-code-router 3.x: /health has runtimeId or core
  kCcrGo,        // the Go fork: /health counts its providers
};
// "unknown", "llama-server", "ccr2", "ccr3", "ccr-go".
const char* AnswererName(Answerer answerer);
bool IsRouter(Answerer answerer);

// From the bodies of GET /, /health and /props ("" where the answer was not 200).
Answerer JudgeAnswerer(const std::string& root, const std::string& health, const std::string& props);
// Asks at the origin, without credentials: three GETs.
Answerer IdentifyAnswerer(const std::string& origin, const RunContext& context);

}  // namespace helix::backend
