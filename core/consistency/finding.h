// The form in which every diagnosis that is not of two bodies comes out.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace helix::consistency {

// {"verdict","fact","advice":{...}} followed by the members of `numbers`.
Json FindingJson(const std::string& verdict, const std::string& fact, const std::string& backend,
                 const Json& numbers = Json::object());

// UNCONFIRMED with what would settle it.
Json Unconfirmed(const std::string& fact, const Json& numbers = Json::object());

// The first of several names under which people write one fact; nullopt when none is there.
std::optional<double> FirstNumber(const Json& object, const std::vector<std::string_view>& paths);
std::optional<bool> FirstBool(const Json& object, const std::vector<std::string_view>& paths);

// "314" for a whole number, "0.03" otherwise.
std::string NumberText(double value);

}  // namespace helix::consistency
