#include "core/usage/merge.h"

#include "core/base/json_fields.h"
#include "core/usage/count.h"

namespace helix::usage {
namespace {

// Usage objects are two levels deep; anything deeper is not one and is taken as it is.
constexpr int kMergeDepth = 8;

void Merge(Json& into, const Json& from, int depth) {
  if (!into.is_object()) into = Json::object();
  for (const auto& [key, value] : from.items()) {
    Json& slot = into[key];
    if (value.is_object() && slot.is_object() && depth < kMergeDepth) {
      Merge(slot, value, depth + 1);
    } else if (!value.is_null()) {
      slot = value;
    }
  }
}

void Add(Json& into, const Json& from, int depth) {
  for (const auto& [key, value] : from.items()) {
    if (value.is_object()) {
      if (depth >= kMergeDepth) continue;
      Json& slot = into[key];
      if (!slot.is_object()) slot = Json::object();
      Add(slot, value, depth + 1);
      continue;
    }
    Count sum = AddCounts(CountAt(into, key), CountAt(from, key));
    if (sum.present()) into[key] = sum.value;
  }
}

}  // namespace

void MergeNonNull(Json& into, const Json& from) {
  if (from.is_object()) Merge(into, from, 0);
}

void AddCounters(Json& into, const Json& from) {
  if (from.is_object()) Add(into, from, 0);
}

}  // namespace helix::usage
