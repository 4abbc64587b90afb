#include "core/cost/prices.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "core/cost/built_in_prices.h"
#include "core/cost/price_row.h"

namespace helix::cost {
namespace {

bool AllDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The length of "-20260724", "@20260724" or "-2026-07-24" at the end; 0 when there is none.
std::size_t TrailingDate(std::string_view id) {
  if (id.size() > 9 && (id[id.size() - 9] == '-' || id[id.size() - 9] == '@') &&
      AllDigits(id.substr(id.size() - 8))) {
    return 9;
  }
  if (id.size() <= 11) return 0;
  auto tail = id.substr(id.size() - 11);
  bool dashed = tail[0] == '-' && tail[5] == '-' && tail[8] == '-';
  bool date =
      dashed && AllDigits(tail.substr(1, 4)) && AllDigits(tail.substr(6, 2)) && AllDigits(tail.substr(9, 2));
  return date ? 11 : 0;
}

}  // namespace

std::string BareModelId(std::string_view model) {
  constexpr std::string_view kLong = "[1m]";
  if (model.ends_with(kLong)) model.remove_suffix(kLong.size());
  model.remove_suffix(TrailingDate(model));
  return std::string(model);
}

Result<PriceTable> PriceTable::FromJson(const Json& value) {
  const Json* rows = helix::Find(value, "rows");
  if (StringAt(value, "format") != "helix.prices/1" || rows == nullptr || !rows->is_array()) {
    return Fail(ErrorCode::kParse, "a price file is {\"format\": \"helix.prices/1\", \"rows\": [...]}");
  }
  PriceTable table;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    auto row = ReadPriceRow((*rows)[i]);
    if (!row) return Fail(ErrorCode::kParse, "row " + std::to_string(i) + ": " + row.error().message);
    table.rows_.push_back(std::move(*row));
  }
  return table;
}

const PriceTable& PriceTable::BuiltIn() {
  static const PriceTable table = [] {
    auto value = ParseStrict(BuiltInPricesJson());
    auto read = value ? FromJson(*value) : Result<PriceTable>(tl::make_unexpected(value.error()));
    return read ? *read : PriceTable();  // a test fails when the built-in file cannot be read
  }();
  return table;
}

void PriceTable::Prefer(const PriceTable& other) {
  rows_.insert(rows_.begin(), other.rows_.begin(), other.rows_.end());
}

std::optional<PriceRow> PriceTable::Find(std::string_view route, std::string_view model, std::string_view utc,
                                         std::int64_t in_total) const {
  if (!IsUtcSeconds(utc)) return std::nullopt;
  const std::string bare = BareModelId(model);
  const PriceRow* best = nullptr;
  for (const auto& row : rows_) {
    if (row.route != route || row.model != bare || in_total <= row.above_in_total - (row.above_in_total == 0))
      continue;
    if (!HoldsAt(row, utc)) continue;
    bool better = best == nullptr || row.above_in_total > best->above_in_total ||
                  (row.above_in_total == best->above_in_total && best->peak.empty() && !row.peak.empty());
    if (better) best = &row;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

Result<PriceTable> LoadPrices(const std::string& user_file) {
  PriceTable table = PriceTable::BuiltIn();
  if (user_file.empty()) return table;
  auto value = ReadJsonFile(user_file);
  if (!value) return tl::make_unexpected(value.error());
  auto user = PriceTable::FromJson(*value);
  if (!user) return Fail(user.error().code, user_file + ": " + user.error().message);
  table.Prefer(*user);
  return table;
}

}  // namespace helix::cost
