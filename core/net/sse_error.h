// Errors that a server reports inside a stream whose HTTP status said 200.
#pragma once
#include "core/base/result.h"
#include "core/net/sse_parser.h"

namespace helix::net {

// kProtocol with the server's own message when the event is an error: its type is "error", or its data is a
// JSON object with a member "error" that is not null (llama-server, vLLM, OpenAI, Anthropic). Success
// otherwise.
Status SseErrorOf(const SseEvent& event);

}  // namespace helix::net
