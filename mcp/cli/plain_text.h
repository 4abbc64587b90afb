// A structured result as lines for a terminal, for tools that have no form of their own.
#pragma once
#include <string>

#include "core/base/json.h"

namespace helix::mcp {

// One line per value, "key: value", members of objects indented below their key, lists of values in one line, lists of
// objects with a dash each. Every member of `result` is there; null is "absent". Ends with a newline.
std::string PlainText(const Json& result);

}  // namespace helix::mcp
