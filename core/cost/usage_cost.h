// What a usage costs. A counter that is absent is not free: the cost is then a lower bound, or unknown.
#pragma once
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/cost/money.h"
#include "core/cost/prices.h"
#include "core/usage/usage.h"

namespace helix::cost {

struct Cost {
  enum class Kind { kExact, kLowerBound, kUnknown };
  Kind kind = Kind::kUnknown;
  Money total;  // meaningless when kUnknown
  Money uncached, read, writes, output;
  std::vector<std::string> notes;  // why it is a lower bound or unknown
};
const char* CostKindName(Cost::Kind kind);  // "exact", "lower_bound", "unknown"

// in_uncached, reads and writes each at their own price, output once. Lower bound: writes without a named
// lifetime (priced at 5m), reads or output not reported. Unknown: the cached share is not reported, or a
// counter above zero has no price.
Cost CostOf(const usage::Usage& usage, const PriceRow& prices);
// The same request had nothing been cached: the whole prompt at the input price.
Cost CostWithoutCache(const usage::Usage& usage, const PriceRow& prices);

// {"kind":..., "usd":"0.0569445" or null, "parts":{...}, "notes":[...]}
Json ToJson(const Cost& cost);

}  // namespace helix::cost
