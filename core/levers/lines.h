// Lines of a block, and the kinds of lines that no rewrite may lose.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace helix::levers {

// Without their line ends; "a\n" is one line.
std::vector<std::string_view> SplitLines(std::string_view text);
// Mentions an error, a warning, a failure, an exception, a panic, a refusal or a timeout.
bool IsErrorLine(std::string_view line);

}  // namespace helix::levers
