#include "core/usage/split.h"

#include "core/base/json_fields.h"

namespace helix::usage {
namespace {

constexpr std::string_view kFive = "ephemeral_5m_input_tokens";
constexpr std::string_view kHour = "ephemeral_1h_input_tokens";

// Lifetimes with a name of their own that this reader does not know.
Count UnknownLifetimes(const Json& split, Usage& out) {
  Count sum;
  for (const auto& [key, value] : split.items()) {
    if (key == kFive || key == kHour || !key.starts_with("ephemeral_")) continue;
    sum = AddCounts(sum, CountAt(split, key));
    out.AddFlag("unknown_write_ttl");
  }
  return sum;
}

std::int64_t Known(const Count& count) {
  return count.present() ? count.value : 0;
}

}  // namespace

void ReadWriteSplit(const Json& usage, Draft& draft, Usage& out) {
  Count total = CountAt(usage, "cache_creation_input_tokens");
  const Json* split = Find(usage, "cache_creation");
  if (split == nullptr || !split->is_object() || split->empty()) {
    draft.write_5m = total;
    draft.write_5m_derived = true;
    if (total.present() && total.value > 0) out.AddFlag("write_ttl_not_reported");
    return;
  }
  draft.write_5m = CountAt(*split, kFive);
  draft.write_1h = CountAt(*split, kHour);
  draft.write_other = UnknownLifetimes(*split, out);
  if (!total.present()) return;
  std::int64_t parts = Known(draft.write_5m) + Known(draft.write_1h) + Known(draft.write_other);
  if (parts > total.value) out.AddFlag("inconsistent");
  if (parts >= total.value) return;
  draft.write_5m = MakeCount(Known(draft.write_5m) + total.value - parts);
  draft.write_5m_derived = true;
  out.AddFlag("partial_split");
}

}  // namespace helix::usage
