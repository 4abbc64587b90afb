#include "core/levers/markers.h"

#include <algorithm>
#include <functional>

#include "core/base/json_fields.h"
#include "core/levers/token_counter.h"

namespace helix::levers {
namespace {

constexpr double kOneHourPremium = 0.75;

using Visit = std::function<void(const Json& block, const std::string& pointer)>;

void Each(const Json* list, const std::string& pointer, const Visit& visit) {
  if (list == nullptr || !list->is_array()) return;
  for (std::size_t i = 0; i < list->size(); ++i) visit((*list)[i], pointer + "/" + std::to_string(i));
}

// Every block that may be marked, in the order that the API caches them; parts of a tool result before it.
void EachBlock(const Json& request, const Visit& visit) {
  Each(Find(request, "tools"), "/tools", visit);
  Each(Find(request, "system"), "/system", visit);
  Each(Find(request, "messages"), "/messages", [&](const Json& message, const std::string& pointer) {
    Each(Find(message, "content"), pointer + "/content", [&](const Json& block, const std::string& at) {
      Each(Find(block, "content"), at + "/content", visit);
      visit(block, at);
    });
  });
}

const Json* MarkerIn(const Json& block) {
  const Json* marker = block.is_object() ? Find(block, "cache_control") : nullptr;
  return marker != nullptr && marker->is_object() ? marker : nullptr;
}

bool IsThinking(const Json& block) {
  const std::string type = StringAt(block, "type").value_or("");
  return type == "thinking" || type == "redacted_thinking";
}

bool IsEmptyText(const Json& block) {
  if (StringAt(block, "type") != "text") return false;
  const std::string text = StringAt(block, "text").value_or("");
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

std::vector<std::string> Pointers(const std::vector<Marker>& markers) {
  std::vector<std::string> out;
  for (const auto& marker : markers)
    out.push_back(marker.pointer.empty() ? "/cache_control" : marker.pointer);
  return out;
}

// The last block before `limit` (all when empty) that can carry a marker.
std::optional<std::string> LastThatCan(const Json& request, const std::string& limit) {
  std::optional<std::string> last;
  bool stop = false;
  EachBlock(request, [&](const Json& block, const std::string& pointer) {
    stop = stop || pointer == limit;
    const bool part_of_result = std::count(pointer.begin(), pointer.end(), '/') > 4;
    if (!stop && !part_of_result && block.is_object() && !IsThinking(block) && !IsEmptyText(block))
      last = pointer;
  });
  return last;
}

void CheckPlaces(const Json& request, std::vector<MarkerProblem>& out) {
  EachBlock(request, [&](const Json& block, const std::string& pointer) {
    if (MarkerIn(block) == nullptr || !(IsThinking(block) || IsEmptyText(block))) return;
    const auto before = LastThatCan(request, pointer);
    out.push_back({IsThinking(block) ? "on_thinking" : "on_empty_text",
                   {pointer},
                   IsThinking(block) ? "cache_control cannot be set for thinking blocks"
                                     : "cache_control cannot be set for empty text blocks",
                   before ? "move the marker to " + *before : "remove the marker"});
  });
}

std::size_t LastOneHour(const std::vector<Marker>& markers) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    if (markers[i].one_hour && !markers[i].pointer.empty()) last = i + 1;
  }
  return last;
}

}  // namespace

std::vector<Marker> MarkersOf(const Json& request) {
  std::vector<Marker> out;
  auto note = [&](const Json& block, const std::string& pointer) {
    const Json* marker = MarkerIn(block);
    if (marker != nullptr) out.push_back({pointer, StringAt(*marker, "ttl") == "1h"});
  };
  note(request, "");
  EachBlock(request, note);
  return out;
}

std::optional<TtlRepair> PlanTtlRepair(const Json& request) {
  const auto markers = MarkersOf(request);
  TtlRepair repair;
  for (std::size_t i = 0; i < LastOneHour(markers); ++i) {
    if (!markers[i].one_hour && !markers[i].pointer.empty()) repair.raise.push_back(markers[i].pointer);
  }
  if (repair.raise.empty()) return std::nullopt;
  std::int64_t tokens = 0;
  EachBlock(request, [&](const Json& block, const std::string& pointer) {
    const bool part_of_result = std::count(pointer.begin(), pointer.end(), '/') > 4;
    if (!part_of_result) tokens += EstimateTokens(DumpJson(block));
    if (pointer == repair.raise.back()) repair.tokens = tokens;
  });
  repair.extra_in_input_prices = kOneHourPremium * double(repair.tokens);
  return repair;
}

std::vector<MarkerProblem> CheckMarkers(const Json& request) {
  std::vector<MarkerProblem> out;
  const auto markers = MarkersOf(request);
  if (markers.size() > kMostMarkers) {
    out.push_back({"too_many", Pointers(markers),
                   "A maximum of 4 blocks with cache_control may be provided. Found " +
                       std::to_string(markers.size()) + ".",
                   "remove the earliest markers of the conversation"});
  }
  CheckPlaces(request, out);
  if (const auto repair = PlanTtlRepair(request)) {
    out.push_back({"ttl_order", repair->raise,
                   "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block",
                   "raise these to 1h, which costs about " +
                       std::to_string(std::int64_t(repair->extra_in_input_prices)) +
                       " tokens at the input price more, or lower the later ones to 5m"});
  }
  return out;
}

MarkerPlan PlanMarker(const Json& request) {
  MarkerPlan plan;
  const auto markers = MarkersOf(request);
  const auto where = LastThatCan(request, "");
  if (!where) {
    plan.refused = "no block can carry a marker";
  } else if (std::any_of(markers.begin(), markers.end(),
                         [&](const Marker& m) { return m.pointer == *where; })) {
    plan.refused = "the last block that can carry a marker has one";
  } else if (markers.size() >= kMostMarkers) {
    plan.refused = "the request has " + std::to_string(markers.size()) + " markers; 4 are the most";
    // The earliest in the conversation: those before it hold what never changes.
    auto in_messages = std::find_if(markers.begin(), markers.end(),
                                    [](const Marker& m) { return m.pointer.starts_with("/messages/"); });
    const Marker& oldest = in_messages != markers.end() ? *in_messages : markers.back();
    plan.would_replace = oldest.pointer.empty() ? "/cache_control" : oldest.pointer;
  } else {
    plan.pointer = where;
  }
  return plan;
}

Json MarkersJson(const Json& request) {
  Json problems = Json::array();
  for (const auto& problem : CheckMarkers(request)) {
    problems.push_back({{"code", problem.code},
                        {"pointers", problem.pointers},
                        {"reason", problem.reason},
                        {"repair", problem.repair}});
  }
  const auto plan = PlanMarker(request);
  Json next = {{"pointer", plan.pointer ? Json(*plan.pointer) : Json()}};
  if (!plan.refused.empty()) next["refused"] = plan.refused;
  if (!plan.would_replace.empty()) next["would_replace"] = plan.would_replace;
  return {{"count", MarkersOf(request).size()}, {"problems", std::move(problems)}, {"next", std::move(next)}};
}

}  // namespace helix::levers
