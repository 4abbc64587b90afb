#include "core/evidence/canonical_json.h"

#include <charconv>
#include <cmath>

namespace helix::evidence {
namespace {

void AppendString(std::string& out, const std::string& text) {
  static const char* kHex = "0123456789abcdef";
  out.push_back('"');
  for (unsigned char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (c < 0x20) {
          out += "\\u00";
          out.push_back(kHex[c >> 4]);
          out.push_back(kHex[c & 15]);
        } else {
          out.push_back(static_cast<char>(c));
        }
    }
  }
  out.push_back('"');
}

// UTF-8 order equals code point order; UTF-16 order differs only where a surrogate pair (U+10000 and up)
// meets U+E000 to U+FFFF. Mapping the lead bytes moves the four-byte sequences below EE and EF.
bool Utf16Less(const std::string& a, const std::string& b) {
  auto rank = [](unsigned char c) -> int {
    if (c >= 0xF0) return c - 0xF0 + 0xEE;
    if (c >= 0xEE) return c + 0x10;
    return c;
  };
  std::size_t n = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < n; ++i) {
    int x = rank(static_cast<unsigned char>(a[i]));
    int y = rank(static_cast<unsigned char>(b[i]));
    if (x != y) return x < y;
  }
  return a.size() < b.size();
}

void Append(std::string& out, const Json& value);

void AppendObject(std::string& out, const Json& value) {
  std::vector<std::pair<const std::string*, const Json*>> members;
  members.reserve(value.size());
  for (auto it = value.begin(); it != value.end(); ++it) members.emplace_back(&it.key(), &it.value());
  std::sort(members.begin(), members.end(), [](auto& a, auto& b) { return Utf16Less(*a.first, *b.first); });
  out.push_back('{');
  bool first = true;
  for (auto& [key, member] : members) {
    if (!first) out.push_back(',');
    first = false;
    AppendString(out, *key);
    out.push_back(':');
    Append(out, *member);
  }
  out.push_back('}');
}

void Append(std::string& out, const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return AppendObject(out, value);
    case Json::value_t::array: {
      out.push_back('[');
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (i != 0) out.push_back(',');
        Append(out, value[i]);
      }
      out.push_back(']');
      return;
    }
    case Json::value_t::string:
      return AppendString(out, value.get_ref<const std::string&>());
    case Json::value_t::boolean:
      out += value.get<bool>() ? "true" : "false";
      return;
    // Integers are IEEE doubles too in this form: beyond 2^53 they print as the double they become.
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      out += CanonicalNumber(value.get<double>());
      return;
    default:
      out += "null";
      return;
  }
}

}  // namespace

std::string CanonicalNumber(double value) {
  if (!std::isfinite(value)) return "null";
  if (value == 0) return "0";
  // Shortest digits that round-trip, as "d.ddde+XX".
  char buffer[40];
  auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific).ptr;
  std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  auto e = text.find('e');
  std::string_view exponent = text.substr(e + 1);
  if (exponent[0] == '+') exponent.remove_prefix(1);
  int n = 0;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), n);
  ++n;  // value = 0.digits x 10^n
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  int k = static_cast<int>(digits.size());
  std::string out = value < 0 ? "-" : "";
  if (k <= n && n <= 21) return out + digits + std::string(static_cast<std::size_t>(n - k), '0');
  if (0 < n && n <= 21) {
    const auto point = static_cast<std::size_t>(n);
    return out + digits.substr(0, point) + "." + digits.substr(point);
  }
  if (-6 < n && n <= 0) return out + "0." + std::string(static_cast<std::size_t>(-n), '0') + digits;
  out += digits.substr(0, 1);
  if (k > 1) out += "." + digits.substr(1);
  return out + "e" + (n - 1 < 0 ? "-" : "+") + std::to_string(std::abs(n - 1));
}

std::string CanonicalJson(const Json& value) {
  std::string out;
  Append(out, value);
  return out;
}

}  // namespace helix::evidence
