// Where the members of an object stand in a JSON text that may hold comments and trailing commas, as the
// settings files of several clients do. Only positions are read, so that an edit can leave every other byte
// alone.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace helix::mcp {

struct JsoncMember {
  std::string key;
  std::size_t key_at = 0;     // of the opening quote
  std::size_t value_at = 0;   // first byte of the value
  std::size_t value_end = 0;  // one past its last byte
  std::size_t comma_at = 0;   // of the comma after it; 0 when there is none
};

struct JsoncObject {
  std::size_t open_at = 0;   // of the '{'
  std::size_t close_at = 0;  // of the '}'
  std::vector<JsoncMember> members;

  // nullptr when the key is not there. Borrowed from this object.
  [[nodiscard]] const JsoncMember* Find(std::string_view key) const;
};

// Reads the object that starts at `at` (white space and comments before it are skipped). Errors name the
// line; a key that is there twice is one, since clients differ in which of the two they take.
Result<JsoncObject> ReadJsoncObject(std::string_view text, std::size_t at);

// Checks that nothing but white space and comments follows `at`.
Status ExpectJsoncEnd(std::string_view text, std::size_t at);

}  // namespace helix::mcp
