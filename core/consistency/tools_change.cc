#include "core/consistency/tools_change.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/json_fields.h"
#include "core/consistency/compact_json.h"
#include "core/consistency/volatile_text.h"

namespace helix::consistency {
namespace {

std::string NameOf(const Json& tool) {
  if (auto name = StringAt(tool, "name")) return *name;
  return StringAt(tool, "function/name").value_or(StringAt(tool, "type").value_or("?"));
}

using Words = std::vector<std::string>;

Words Each(const Json* tools, std::string (*form)(const Json&)) {
  Words words;
  if (tools && tools->is_array())
    for (const Json& tool : *tools) words.push_back(form(tool));
  return words;
}

Words Ordered(Words words) {
  std::sort(words.begin(), words.end());
  return words;
}

// Names in `in` and not in `out`, at most five.
std::string Missing(const Words& in, const Words& out) {
  std::string names;
  int count = 0;
  for (const std::string& name : in) {
    if (std::find(out.begin(), out.end(), name) != out.end()) continue;
    if (++count <= 5) names += (names.empty() ? "" : ", ") + name;
  }
  return count > 5 ? names + " and " + std::to_string(count - 5) + " more" : names;
}

std::string EditDetector(const Divergence& at) {
  if (!at.a || !at.b || !at.a->is_string() || !at.b->is_string()) return "";
  const auto change = ExplainTextChange(at.a->get<std::string>(), at.b->get<std::string>());
  return change ? change->cause.detector : "";
}

}  // namespace

Cause ExplainToolsChange(const RequestBody& a, const RequestBody& b, const Divergence& at) {
  const Json* left = a.Get(Part::kTools);
  const Json* right = b.Get(Part::kTools);
  const Words meaning_a = Each(left, &CompactSorted);
  const Words meaning_b = Each(right, &CompactSorted);
  if (meaning_a == meaning_b && !meaning_a.empty())
    return {"TOOL_SCHEMA_KEY_ORDER", "key_order",
            "the tools are equal as JSON and differ in the order of their keys"};
  if (!meaning_a.empty() && Ordered(meaning_a) == Ordered(meaning_b))
    return {"TOOLS_REORDERED", "tool_order",
            "the same " + std::to_string(meaning_a.size()) + " tools come in another order"};
  const Words names_a = Each(left, &NameOf);
  const Words names_b = Each(right, &NameOf);
  const std::string gone = Missing(names_a, names_b);
  const std::string added = Missing(names_b, names_a);
  std::string what = gone.empty() ? "" : "removed: " + gone;
  if (!added.empty()) what += (what.empty() ? "" : "; ") + std::string("added: ") + added;
  if (what.empty()) what = "the definition of a tool was edited at " + at.pointer;
  return {"TOOLS_CHANGED", EditDetector(at), what};
}

}  // namespace helix::consistency
