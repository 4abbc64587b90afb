// Where each string of a JSON document stands in its bytes, so that one string can be replaced without
// touching anything else: parsing and writing the whole body again would change numbers, escapes and key
// order.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace helix::levers {

struct StringSpan {
  std::string pointer;    // JSON pointer
  std::size_t begin = 0;  // of the opening quote
  std::size_t end = 0;    // behind the closing quote
};

// Every string value (not the keys) in document order. kParse when the text is not JSON.
Result<std::vector<StringSpan>> FindStrings(std::string_view body);

// The first value with this pointer, of whatever kind; nullopt when there is none. `body` is JSON.
std::optional<StringSpan> FindValue(std::string_view body, const std::string& pointer);

struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;  // decoded; written as a JSON string
  bool raw = false;  // `text` is JSON already
};
// `edits` in document order, not overlapping. Bytes outside them are those of `body`.
std::string Splice(std::string_view body, const std::vector<Edit>& edits);

}  // namespace helix::levers
