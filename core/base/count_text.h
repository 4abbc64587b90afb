// A count as text that says when it is not there.
#pragma once
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace helix {

// The integer at `path` as text, "?" where IntAt finds none.
std::string CountText(const Json& object, std::string_view path);

}  // namespace helix
