// The fast way to read a document that is JSON beyond doubt.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/json_type.h"

namespace helix {

struct JsonRules {
  bool strict = false;  // no key twice, no integer beyond 2^53 in magnitude
  std::size_t max_depth = 0;
};

// The document, or nullopt for everything that is not plainly one: a byte-order mark, a number that neither
// an integer nor a double holds, an error of any kind. The caller then asks the slow parser, which knows what
// is wrong and where, or reads it after all. What is returned is what the slow parser would return. Never
// throws but for want of memory.
std::optional<Json> ReadPlainJson(std::string_view text, const JsonRules& rules);

}  // namespace helix
