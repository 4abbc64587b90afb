// Replies inside a JSON value, however it wraps them.
#pragma once
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/usage/usage.h"

namespace helix::usage {

struct Collected {
  std::vector<Reply> replies;
  bool several = false;  // a trace, a list or a pair
};

// A reply; {"trace": [...]}; a list; an object whose members hold replies (a pair, or a wrapper such as
// {"request": ..., "response": ...}); the chunks of one Gemini stream as a list. Requests are not searched.
Collected CollectReplies(const Json& value, const std::string& provider);

// Whether the document is a status message ({"status":"ok"}), bare or several of them, and no reply.
bool IsStatusDocument(const Json& value);

}  // namespace helix::usage
