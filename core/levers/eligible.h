// Which strings of a request may be rewritten.
#pragma once
#include <map>
#include <string>

#include "core/base/json.h"

namespace helix::levers {

struct EligibleBlock {
  std::string pointer;
  std::string name;  // how a later block refers to it, such as "tool_result toolu_1"; empty: it cannot
  std::string protected_because;  // empty: may be rewritten
};

// Texts of messages by JSON pointer. Everything at or before the last cache marker, the first
// `frozen_messages` messages, assistant and system messages and the user's last message carry the reason why
// they stay.
std::map<std::string, EligibleBlock> BlocksOf(const Json& request, int frozen_messages);

}  // namespace helix::levers
