// The shortest prefix that a hosted model caches, by model: dated data, volatile on the provider's side.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace helix::consistency {

struct Minimum {
  std::string_view model;  // the beginning of the model's name
  std::int64_t tokens;
  std::string_view source;
  std::string_view as_of;
};

// The row whose name is the longest beginning of `model` ("claude-" may be left out, dots may be dashes);
// nullptr when the table does not know the model.
const Minimum* MinimumFor(const std::string& model);

// The lowest minimum in the table: no model caches less.
std::int64_t LowestMinimum();

}  // namespace helix::consistency
