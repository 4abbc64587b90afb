// Reading one row of a price file.
#pragma once
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/cost/prices.h"

namespace helix::cost {

// kParse, naming the field, when a price is negative, has more than six decimals, or a time is not UTC
// seconds.
Result<PriceRow> ReadPriceRow(const Json& row);

// Whether `utc` lies in the row's period and, for a peak row, in its window.
bool HoldsAt(const PriceRow& row, std::string_view utc);
bool IsUtcSeconds(std::string_view text);

}  // namespace helix::cost
