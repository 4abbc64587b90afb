#include "core/cost/price_row.h"

#include <chrono>
#include <cmath>

#include "core/base/json_fields.h"

namespace helix::cost {
namespace {

constexpr double kPicoPerUnit = 1e6;

int Digits(std::string_view text, std::size_t at, std::size_t n) {
  int value = 0;
  for (std::size_t i = at; i < at + n; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

Status ReadPrice(const Json& prices, const char* name, std::optional<Price>& into) {
  const Json* value = Find(prices, name);
  if (value == nullptr || value->is_null()) return {};
  if (!value->is_number())
    return Fail(ErrorCode::kParse, std::string("price \"") + name + "\" is not a number");
  double scaled = value->get<double>() * kPicoPerUnit;
  if (!(scaled >= 0 && scaled < 1e15) || std::fabs(scaled - std::round(scaled)) > 1e-3) {
    return Fail(ErrorCode::kParse,
                std::string("price \"") + name + "\" must be 0 or more with at most six decimals");
  }
  into = Price{std::llround(scaled)};
  return {};
}

// "01:00-04:00"
std::optional<PriceRow::Window> ReadWindow(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() != 11 || text[2] != ':' || text[5] != '-' || text[8] != ':') return std::nullopt;
  int h1 = Digits(text, 0, 2), m1 = Digits(text, 3, 2), h2 = Digits(text, 6, 2), m2 = Digits(text, 9, 2);
  if (h1 < 0 || m1 < 0 || h2 < 0 || m2 < 0) return std::nullopt;
  PriceRow::Window window{h1 * 60 + m1, h2 * 60 + m2};
  if (window.from_minute >= window.to_minute || window.to_minute > 24 * 60) return std::nullopt;
  return window;
}

Status ReadPeak(const Json& row, PriceRow& out) {
  const Json* peak = Find(row, "peak");
  if (peak == nullptr || peak->is_null()) return {};
  const Json* windows = Find(*peak, "utc");
  if (StringAt(*peak, "days") != "mon-fri" || windows == nullptr || !windows->is_array() ||
      windows->empty()) {
    return Fail(ErrorCode::kParse, "\"peak\" must be {\"days\": \"mon-fri\", \"utc\": [\"HH:MM-HH:MM\"]}");
  }
  for (const auto& each : *windows) {
    auto window = ReadWindow(each);
    if (!window) return Fail(ErrorCode::kParse, "a window of \"peak\" is not \"HH:MM-HH:MM\"");
    out.peak.push_back(*window);
  }
  return {};
}

bool IsWeekday(std::string_view utc) {
  using namespace std::chrono;
  auto date = year{Digits(utc, 0, 4)} / Digits(utc, 5, 2) / Digits(utc, 8, 2);
  if (!date.ok()) return false;
  unsigned day = weekday{sys_days{date}}.iso_encoding();
  return day <= 5;
}

bool InPeak(const PriceRow& row, std::string_view utc) {
  if (!IsWeekday(utc)) return false;
  int minute = Digits(utc, 11, 2) * 60 + Digits(utc, 14, 2);
  for (const auto& window : row.peak) {
    if (minute >= window.from_minute && minute < window.to_minute) return true;
  }
  return false;
}

Status ReadTime(const Json& row, const char* name, std::string& into) {
  const Json* value = Find(row, name);
  if (value == nullptr || value->is_null()) return {};
  into = value->is_string() ? value->get<std::string>() : "";
  if (IsUtcSeconds(into)) return {};
  return Fail(ErrorCode::kParse,
              std::string("\"") + name + "\" must be null or UTC, such as 2026-09-01T00:00:00Z");
}

}  // namespace

bool IsUtcSeconds(std::string_view t) {
  return t.size() == 20 && Digits(t, 0, 4) >= 0 && t[4] == '-' && Digits(t, 5, 2) > 0 && t[7] == '-' &&
         Digits(t, 8, 2) > 0 && t[10] == 'T' && Digits(t, 11, 2) >= 0 && t[13] == ':' &&
         Digits(t, 14, 2) >= 0 && t[16] == ':' && Digits(t, 17, 2) >= 0 && t[19] == 'Z';
}

bool HoldsAt(const PriceRow& row, std::string_view utc) {
  if (!row.from.empty() && utc < row.from) return false;
  if (!row.until.empty() && utc >= row.until) return false;
  return row.peak.empty() || InPeak(row, utc);
}

Result<PriceRow> ReadPriceRow(const Json& row) {
  PriceRow out;
  out.route = StringAt(row, "route").value_or("");
  out.model = StringAt(row, "model").value_or("");
  if (out.route.empty() || out.model.empty())
    return Fail(ErrorCode::kParse, "\"route\" and \"model\" are required");
  HELIX_TRY(ReadTime(row, "from", out.from));
  HELIX_TRY(ReadTime(row, "until", out.until));
  out.above_in_total = IntAt(row, "above_in_total").value_or(0);
  HELIX_TRY(ReadPeak(row, out));
  const Json* prices = Find(row, "usd_per_mtok");
  if (prices == nullptr || !prices->is_object())
    return Fail(ErrorCode::kParse, "\"usd_per_mtok\" is required");
  HELIX_TRY(ReadPrice(*prices, "in", out.in));
  HELIX_TRY(ReadPrice(*prices, "out", out.out));
  HELIX_TRY(ReadPrice(*prices, "read", out.read));
  HELIX_TRY(ReadPrice(*prices, "write_5m", out.write_5m));
  HELIX_TRY(ReadPrice(*prices, "write_1h", out.write_1h));
  HELIX_TRY(ReadPrice(*prices, "write_other", out.write_other));
  out.source = StringAt(row, "source").value_or("");
  out.evidence = StringAt(row, "evidence").value_or("user");
  out.as_of = StringAt(row, "as_of").value_or("");
  if (out.source.empty())
    return Fail(ErrorCode::kParse, "\"source\" is required: say where the price stands");
  return out;
}

}  // namespace helix::cost
