#include "core/consistency/compact_json.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "core/base/json_text.h"

namespace helix::consistency {
namespace {

using Members = std::vector<std::pair<const std::string*, const Json*>>;

void AppendEscape(unsigned char c, std::string& out) {
  static constexpr std::string_view kShort = "\b\t\n\f\r\"\\";
  static constexpr std::string_view kLetters = "btnfr\"\\";
  if (const auto at = kShort.find(static_cast<char>(c)); at != std::string_view::npos) {
    out += '\\';
    out += kLetters[at];
    return;
  }
  char buffer[8];
  std::snprintf(buffer, sizeof buffer, "\\u%04x", c);
  out += buffer;
}

void AppendString(const std::string& text, std::string& out) {
  out += '"';
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = json_text::EndOfRun(text, start, json_text::Above::kPass);
    out.append(text, start, end - start);
    if (end < text.size()) AppendEscape(static_cast<unsigned char>(text[end]), out);
    start = end + 1;
  }
  out += '"';
}

void Append(const Json& value, bool sorted, std::string& out);

void AppendObject(const Json& value, bool sorted, std::string& out) {
  Members members;
  for (auto it = value.begin(); it != value.end(); ++it)
    if (it.key() != kCacheControl) members.emplace_back(&it.key(), &it.value());
  if (sorted) std::sort(members.begin(), members.end(), [](auto& x, auto& y) { return *x.first < *y.first; });
  out += '{';
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i) out += ',';
    AppendString(*members[i].first, out);
    out += ':';
    Append(*members[i].second, sorted, out);
  }
  out += '}';
}

void Append(const Json& value, bool sorted, std::string& out) {
  if (value.is_string()) return AppendString(value.get_ref<const std::string&>(), out);
  if (value.is_object()) return AppendObject(value, sorted, out);
  if (!value.is_array()) {
    out += DumpJson(value);
    return;
  }
  out += '[';
  bool first = true;
  for (const Json& item : value) {
    if (!first) out += ',';
    first = false;
    Append(item, sorted, out);
  }
  out += ']';
}

}  // namespace

void AppendCompact(const Json& value, std::string& out) {
  Append(value, false, out);
}

std::string Compact(const Json& value) {
  std::string out;
  Append(value, false, out);
  return out;
}

std::string CompactSorted(const Json& value) {
  std::string out;
  Append(value, true, out);
  return out;
}

}  // namespace helix::consistency
