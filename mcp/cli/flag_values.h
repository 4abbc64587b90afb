// Words of a command line made into the JSON that a tool's schema asks for.
#pragma once
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace helix::mcp {

// prefix_tokens -> prefix-tokens, and back.
std::string FlagName(const std::string& property);

// One property's words by the type its schema names: a number's or a boolean's text, JSON for objects, one
// entry a word for lists. The value is not yet checked against the range.
Result<Json> FlagValue(const std::string& property, const Json& schema,
                       const std::vector<std::string>& words);

}  // namespace helix::mcp
