// Cache markers (cache_control) of an Anthropic request: what the API would refuse, and where one more may
// stand. Rules: vendor's prompt-caching page, read 2026-08-22.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::levers {

inline constexpr std::size_t kMostMarkers = 4;

struct Marker {
  std::string pointer;    // of the marked block; "" for the automatic one at the top level
  bool one_hour = false;  // its lifetime; five minutes when not named
};
// In the order tools, system, messages; the automatic one first.
std::vector<Marker> MarkersOf(const Json& request);

struct MarkerProblem {
  std::string code;                   // "too_many", "on_empty_text", "on_thinking", "ttl_order"
  std::vector<std::string> pointers;  // of the blocks concerned
  std::string reason;                 // as the API would say it
  std::string repair;                 // what to do
};
// Empty when the API would take the markers as they are.
std::vector<MarkerProblem> CheckMarkers(const Json& request);

struct MarkerPlan {
  std::optional<std::string> pointer;  // where the marker goes; absent: none is added
  std::string refused;                 // why not
  std::string would_replace;           // which marker would have to go for it
};
// One more marker on the last block that can carry one: never on an empty text or a thinking block, never a
// fifth.
MarkerPlan PlanMarker(const Json& request);

// What must be raised to one hour so that no longer lifetime follows a shorter one, and what that costs more:
// one-hour writes cost 0.75 of the input price more per token.
struct TtlRepair {
  std::vector<std::string> raise;    // pointers
  std::int64_t tokens = 0;           // estimated, up to the last raised marker
  double extra_in_input_prices = 0;  // 0.75 x tokens
};
std::optional<TtlRepair> PlanTtlRepair(const Json& request);

// {"count", "problems": [...], "next": pointer or null, ...}
Json MarkersJson(const Json& request);

}  // namespace helix::levers
