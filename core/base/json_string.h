// One JSON string: escapes, surrogate pairs, UTF-8.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace helix {

// Reads the string whose opening quote is at `at`, appends what it says to `out` and returns the offset
// behind the closing quote; std::string_view::npos when it is no JSON string (invalid UTF-8, a lone
// surrogate, a bare control character, an escape that there is none, no end).
std::size_t ReadJsonString(std::string_view text, std::size_t at, std::string& out);

// Bytes of the UTF-8 sequence at `at`: 1 to 4, or 0 when it is none.
std::size_t Utf8Length(std::string_view text, std::size_t at);

}  // namespace helix
