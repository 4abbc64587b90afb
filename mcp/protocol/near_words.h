// "Did you mean ...": the closest of a list of names.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace helix::mcp {

// The candidate with the smallest Levenshtein distance to `word`, when at most a third of it would change
// (at least 2 letters are always allowed); nullopt when none is that near.
std::optional<std::string> NearestWord(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace helix::mcp
