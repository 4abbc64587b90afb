// The project's JSON type and the only ways to read it from outside. Objects keep document order (a miss can
// be caused by key order, and answers read better in the order they were written).
#pragma once
#include <string>
#include <string_view>

#include "core/base/json_type.h"
#include "core/base/result.h"

namespace helix {

// Strict reading for reports and evidence. Refuses, with the byte position: anything that is not JSON,
// duplicate keys, NaN and Infinity, lone surrogates, invalid UTF-8, integers beyond 2^53 in magnitude,
// numbers that overflow a double, nesting deeper than 128, text after the value.
Result<Json> ParseStrict(std::string_view text);

// Reading for protocol messages and server replies: valid JSON nested at most 256 deep; big integers and
// duplicate keys (last one wins) are let through. Never throws.
Result<Json> ParseJson(std::string_view text);

// Compact text; invalid UTF-8 inside strings becomes U+FFFD instead of an exception.
std::string DumpJson(const Json& value);
// The same, two spaces per level.
std::string DumpPretty(const Json& value);

// Reads a whole file and parses it strictly; errors name the file.
Result<Json> ReadJsonFile(const std::string& path);

}  // namespace helix
