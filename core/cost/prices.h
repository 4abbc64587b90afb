// Prices as dated data: one row per route, model, period, size band and peak window. prices.json holds what
// is known; a user's file adds rows or replaces them. An unknown model has no price: never $0, never a
// relative's.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/cost/money.h"

namespace helix::cost {

struct PriceRow {
  std::string route;  // "anthropic", "openai", ...: the same model costs differently elsewhere
  std::string model;
  std::string from;                 // UTC "2026-09-01T00:00:00Z", inclusive; empty: always
  std::string until;                // exclusive; empty: still valid
  std::int64_t above_in_total = 0;  // holds for prompts longer than this; the largest that fits wins
  struct Window {
    int from_minute = 0;  // of the UTC day, inclusive
    int to_minute = 0;    // exclusive
  };
  std::vector<Window> peak;  // holds only inside these, Monday to Friday; empty: whenever no peak row holds
  std::optional<Price> in, out, read, write_5m, write_1h, write_other;
  std::string source;
  std::string evidence;  // "vendor" or "third_party" or "user"
  std::string as_of;
};

// The id without a "[1m]" ending and without a trailing date (-20260724, -2026-07-24, @20260724).
std::string BareModelId(std::string_view model);

class PriceTable {
 public:
  // The rows this program was built with.
  static const PriceTable& BuiltIn();
  // Format "helix.prices/1". kParse with the row's number when a row is not as it should be.
  static Result<PriceTable> FromJson(const Json& value);

  // Rows of `other` come first: they replace rows of the same route, model and period by being found earlier.
  void Prefer(const PriceTable& other);
  // The row for an exact model id at a UTC time ("2026-12-01T06:30:00Z"); nullopt when none holds.
  [[nodiscard]] std::optional<PriceRow> Find(std::string_view route, std::string_view model,
                                             std::string_view utc, std::int64_t in_total) const;
  [[nodiscard]] const std::vector<PriceRow>& rows() const { return rows_; }

 private:
  std::vector<PriceRow> rows_;
};

// Built-in rows, preceded by those of `user_file` when it is not empty.
Result<PriceTable> LoadPrices(const std::string& user_file);

}  // namespace helix::cost
