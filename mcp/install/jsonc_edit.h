// Edits one member of a JSON settings file and leaves every other byte as it was: comments, order, spacing.
#pragma once
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::mcp {

// The text with the member at `path` set to `value`; objects on the way are made. An empty text is an empty
// object. Unchanged text when the member has that value already. Errors: the text is no JSON object (comments
// and trailing commas are allowed), or a step of the path holds something else than an object.
Result<std::string> SetJsoncMember(const std::string& text, const std::vector<std::string>& path,
                                   const Json& value);

// The text without that member; unchanged when it is not there. Objects that become empty stay.
Result<std::string> RemoveJsoncMember(const std::string& text, const std::vector<std::string>& path);

}  // namespace helix::mcp
