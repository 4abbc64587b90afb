// Files with one JSON value a line: session logs, Ollama's streams, recorded chunks.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/usage/usage.h"

namespace helix::usage {

// nullopt unless every non-empty line is a JSON object.
std::optional<std::vector<Json>> ParseJsonLines(std::string_view text);

// Lines that are events of streams are merged into the replies they make up; others are read one by one.
std::vector<Reply> RepliesOfLines(const std::vector<Json>& lines, const std::string& provider);

}  // namespace helix::usage
