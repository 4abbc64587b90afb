// A settings file as lines, for formats that are edited by line.
#pragma once
#include <string>
#include <vector>

namespace helix::mcp {

// Without line ends; a missing last line end is not kept.
std::vector<std::string> SplitLines(const std::string& text);
// Each line ended.
std::string JoinLines(const std::vector<std::string>& lines);

std::string Trimmed(const std::string& text);

}  // namespace helix::mcp
