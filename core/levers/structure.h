// What compression may never change: tool calls with their names and arguments, ids, pairs and order.
#pragma once
#include <string>

namespace helix::levers {

// Whether two request bodies are the same but for texts of messages and tool results.
bool SameStructure(const std::string& before, const std::string& after);

}  // namespace helix::levers
