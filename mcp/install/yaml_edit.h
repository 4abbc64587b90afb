// Edits one item of the list `servers:` of a YAML settings file and leaves every other line as it was.
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"

namespace helix::mcp {

// The text with the item whose `name:` is `name` made of exactly `fields` ("key: value" lines after the
// name). The list is made when it is not there. Error: the list is written in flow style ([...]) and not
// empty.
Result<std::string> SetYamlServer(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& fields);

// The text without that item; unchanged when it is not there.
Result<std::string> RemoveYamlServer(const std::string& text, const std::string& name);

}  // namespace helix::mcp
