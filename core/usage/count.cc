#include "core/usage/count.h"

#include <charconv>
#include <cmath>

#include "core/base/json_fields.h"

namespace helix::usage {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 53;

Count Checked(std::int64_t value) {
  if (value < 0 || value > kLargest) return {Count::State::kInvalid, 0};
  return {Count::State::kValue, value};
}

Count FromDouble(double value) {
  if (!(value >= 0 && value <= static_cast<double>(kLargest)) || std::trunc(value) != value) {
    return {Count::State::kInvalid, 0};
  }
  return Checked(static_cast<std::int64_t>(value));
}

Count FromString(const std::string& text) {
  std::int64_t whole = 0;
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, whole);
  if (error != std::errc{} || at != end) return {Count::State::kInvalid, 0};
  return Checked(whole);
}

}  // namespace

Measured<Tokens> Count::Reported() const {
  return present() ? Measured<Tokens>(Tokens{value}, Origin::kServer) : Measured<Tokens>();
}

Count MakeCount(std::int64_t value) {
  return Checked(value);
}

Count CountAt(const Json& object, std::string_view path) {
  const Json* found = FindPath(object, path);
  if (found == nullptr) {
    // "details": null says "not reported" just as "details": {"cached_tokens": null} does.
    auto slash = path.rfind('/');
    const Json* parent = slash == std::string_view::npos ? nullptr : FindPath(object, path.substr(0, slash));
    return {parent != nullptr && parent->is_null() ? Count::State::kNull : Count::State::kAbsent, 0};
  }
  if (found->is_null()) return {Count::State::kNull, 0};
  if (found->is_string()) return FromString(found->get<std::string>());
  if (found->is_number_float()) return FromDouble(found->get<double>());
  if (auto whole = IntAt(object, path)) return Checked(*whole);
  return {Count::State::kInvalid, 0};
}

Count FirstCount(const Json& object, std::initializer_list<std::string_view> paths) {
  Count best;
  for (auto path : paths) {
    Count count = CountAt(object, path);
    if (count.present()) return count;
    if (best.state == Count::State::kAbsent) best = count;
  }
  return best;
}

Count AddCounts(const Count& a, const Count& b) {
  if (!a.present()) return b.present() || a.state == Count::State::kAbsent ? b : a;
  return b.present() ? Checked(a.value + b.value) : a;
}

}  // namespace helix::usage
