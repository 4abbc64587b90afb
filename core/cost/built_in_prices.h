// prices.json as it was when this program was built.
#pragma once
#include <string_view>

namespace helix::cost {

std::string_view BuiltInPricesJson();

}  // namespace helix::cost
