#include "mcp/protocol/result_budget.h"

#include <algorithm>
#include <map>
#include <string>

namespace helix::mcp {
namespace {

constexpr std::size_t kShortest = 16;  // shorter texts and lists of one are left alone

struct Longest {
  Json* value = nullptr;
  std::string pointer;
  std::size_t bytes = 0;
};

std::string Escaped(const std::string& key) {
  std::string text;
  for (const char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

// The bytes of `value`; on the way the biggest thing that can be cut.
std::size_t Measure(Json& value, const std::string& pointer, Longest& longest) {
  std::size_t bytes = 2;
  if (value.is_object()) {
    for (auto& [key, member] : value.items())
      bytes += key.size() + 6 + Measure(member, pointer + "/" + Escaped(key), longest);
  } else if (value.is_array()) {
    std::size_t i = 0;
    for (auto& item : value) bytes += 4 + Measure(item, pointer + "/" + std::to_string(i++), longest);
  } else {
    bytes = DumpJson(value).size();
  }
  const bool cuttable = (value.is_array() && value.size() > 1) || (value.is_string() && bytes > kShortest);
  if (cuttable && bytes > longest.bytes) longest = {&value, pointer, bytes};
  return bytes;
}

std::size_t Length(const Json& value) {
  return value.is_string() ? value.get_ref<const std::string&>().size() : value.size();
}

void Halve(Json& value) {
  if (value.is_array()) {
    value.erase(value.begin() + static_cast<std::ptrdiff_t>((value.size() + 1) / 2), value.end());
    return;
  }
  auto text = value.get<std::string>();
  std::size_t end = text.size() / 2;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  value = text;
}

// Lists shrink before the entries in them do: a cut list still has whole entries.
bool CutOnce(Json& result, std::map<std::string, std::size_t>& totals) {
  Longest longest;
  Measure(result, "", longest);
  if (longest.value == nullptr) return false;
  totals.emplace(longest.pointer, Length(*longest.value));
  Halve(*longest.value);
  return true;
}

}  // namespace

Json FitBudget(const Json& result, std::size_t budget) {
  if (!result.is_object() || DumpPretty(result).size() <= budget) return result;
  Json cut = result;
  std::map<std::string, std::size_t> totals;
  while (DumpPretty(cut).size() + 96 * totals.size() > budget && CutOnce(cut, totals)) {
  }
  Json truncated = Json::object();
  for (const auto& [pointer, total] : totals) {
    const Json::json_pointer place(pointer);
    if (!cut.contains(place)) continue;  // it was in a part that was cut as a whole
    truncated[pointer] = Json{{"shown", Length(cut[place])}, {"total", total}};
  }
  cut["truncated"] = std::move(truncated);
  return cut;
}

}  // namespace helix::mcp
