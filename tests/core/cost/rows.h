// Price rows for tests, in dollars per million tokens.
#pragma once
#include <cmath>

#include "core/cost/prices.h"
#include "core/usage/usage.h"

namespace helix::cost {

inline Price Dollars(double per_million) {
  return Price{std::llround(per_million * 1e6)};
}

inline PriceRow Row(double in, double read, double write_5m, double write_1h, double out) {
  PriceRow row;
  row.in = Dollars(in);
  row.read = Dollars(read);
  row.write_5m = Dollars(write_5m);
  row.write_1h = Dollars(write_1h);
  row.write_other = Dollars(write_5m);
  row.out = Dollars(out);
  return row;
}

// The built-in row of an Anthropic model on the day these tests were written.
inline PriceRow Anthropic(const std::string& model) {
  return PriceTable::BuiltIn().Find("anthropic", model, "2026-12-01T00:00:00Z", 1000).value();
}

inline Measured<Tokens> Count(std::int64_t n) {
  return {Tokens{n}, Origin::kServer};
}

inline usage::Usage Additive(std::int64_t input, std::int64_t read, std::int64_t w5, std::int64_t w1h,
                             std::int64_t out) {
  usage::Usage usage;
  usage.in_total = Count(input + read + w5 + w1h);
  usage.in_uncached = Count(input);
  usage.cache_read = Count(read);
  usage.cache_write_5m = Count(w5);
  usage.cache_write_1h = Count(w1h);
  usage.out_total = Count(out);
  return usage;
}

}  // namespace helix::cost
