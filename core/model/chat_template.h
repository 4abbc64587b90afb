// The chat template of synthetic models.
#pragma once

namespace helix::model {

// A ChatML-like Jinja template that renders everything a prompt can hold (system, tools, tool calls, tool
// results), so that what a client sends reaches the prompt and can break a prefix.
extern const char kChatTemplate[];

}  // namespace helix::model
