// The JSON type, instantiated once (json_type.cc): the template costs every file that uses it a second
// otherwise.
#pragma once
#include <nlohmann/json.hpp>

extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace helix {

// Keeps document order.
using Json = nlohmann::ordered_json;

}  // namespace helix
