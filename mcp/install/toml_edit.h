// Edits one table of a TOML settings file and leaves every other line as it was.
#pragma once
#include <string>

#include "core/base/result.h"

namespace helix::mcp {

// The text with the table [parent.name] holding exactly `body` (lines, each ended); replaced where it is,
// else appended. Sub-tables of it ([parent.name.env]) go with it. Error: the table is written inline or with
// dotted keys, which only its author can edit safely.
Result<std::string> SetTomlTable(const std::string& text, const std::string& parent, const std::string& name,
                                 const std::string& body);

// The text without that table; unchanged when it is not there.
Result<std::string> RemoveTomlTable(const std::string& text, const std::string& parent,
                                    const std::string& name);

// A TOML basic string.
std::string TomlString(const std::string& value);

}  // namespace helix::mcp
