// Tool definitions in one order, whatever order a hash map gave them this time: a changed order is another
// prefix, and nothing before the conversation is read from the cache.
#pragma once
#include "core/base/json.h"

namespace helix::levers {

// Tools by name, keys of objects by name, `required` lists sorted. Left as they are: `enum` and every other
// list, and the order of `properties`, which a model reads as text. Applying it twice changes nothing more.
Json StableTools(const Json& tools);

// What differs between two tool lists: "" (nothing), "tool_order" (same tools in another order), "key_order"
// (equal as JSON, other bytes), "tools_changed".
const char* ToolsDifference(const Json& a, const Json& b);

}  // namespace helix::levers
