// The exact text of one member, for ids that must go back as they came: a big integer parsed as a double
// would not.
#pragma once
#include <string_view>
#include <vector>

namespace helix::mcp {

// The text of the value of the first top-level member `key` of a JSON object. `text` must be valid JSON.
// Empty when the text is not an object or has no such member. Borrowed from `text`.
std::string_view RawMember(std::string_view text, std::string_view key);

// The texts of the elements of a JSON array, in order. `text` must be valid JSON; borrowed from it.
std::vector<std::string_view> RawElements(std::string_view text);

}  // namespace helix::mcp
