// Whether an event of a stream carries something the model generated. Role-only chunks, pings and the start
// of an empty text block do not: a TTFT may not be stamped on them.
#pragma once
#include "core/base/json.h"

namespace helix::usage {

// content_block_delta with non-empty text, thinking, tool input or signature; content_block_start of a tool
// call.
bool HasAnthropicContent(const Json& event);
// choices[].delta or choices[].message with non-empty content, reasoning, refusal or tool calls;
// choices[].text.
bool HasOpenAiContent(const Json& event);

}  // namespace helix::usage
