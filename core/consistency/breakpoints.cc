#include "core/consistency/breakpoints.h"

#include <algorithm>

#include "core/base/json_fields.h"
#include "core/consistency/compact_json.h"

namespace helix::consistency {
namespace {

void NoteMarker(const Json& holder, Breakpoints& found) {
  const Json* marker = Find(holder, kCacheControl);
  if (!marker || marker->is_null()) return;
  if (found.at.empty() || found.at.back() != found.blocks) found.at.push_back(found.blocks);
  const std::string ttl = StringAt(*marker, "ttl").value_or("");
  if (ttl == "1h") found.ttl_s = 3600;
  if (ttl == "5m") found.ttl_s = std::max(found.ttl_s.value_or(300), 300);
}

// One element of tools or system, or one block of a message.
void Count(const Json& block, Breakpoints& found) {
  ++found.blocks;
  NoteMarker(block, found);
  if (const Json* inner = Find(block, "content"); inner && inner->is_array())
    for (const Json& part : *inner) NoteMarker(part, found);
}

void CountPart(const Json* part, Breakpoints& found) {
  if (!part) return;
  if (!part->is_array()) return Count(*part, found);
  for (const Json& item : *part) Count(item, found);
}

void CountMessage(const Json& message, Breakpoints& found) {
  const Json* content = Find(message, "content");
  if (!content || !content->is_array()) return Count(message, found);
  for (const Json& block : *content) Count(block, found);
  NoteMarker(message, found);
}

// The furthest entry of `written` that some marker of b reaches by looking back.
std::optional<std::size_t> FurthestRead(const std::vector<std::size_t>& written,
                                        const std::vector<std::size_t>& marks) {
  std::optional<std::size_t> best;
  for (std::size_t entry : written)
    for (std::size_t mark : marks)
      if (entry <= mark && mark - entry < kLookbackBlocks) best = std::max(best.value_or(0), entry);
  return best;
}

}  // namespace

Breakpoints BreakpointsOf(const RequestBody& request) {
  Breakpoints found;
  CountPart(request.Get(Part::kTools), found);
  CountPart(request.Get(Part::kSystem), found);
  found.first_message = found.blocks + 1;
  if (const Json* messages = request.Get(Part::kMessages); messages && messages->is_array())
    for (const Json& message : *messages) CountMessage(message, found);
  const Json* top = Find(request.body, kCacheControl);
  found.automatic = top && !top->is_null();
  return found;
}

std::optional<BreakpointFinding> ExplainBreakpoints(const RequestBody& a, const RequestBody& b) {
  const Breakpoints before = BreakpointsOf(a);
  const Breakpoints now = BreakpointsOf(b);
  if (now.automatic || now.blocks <= before.blocks) return std::nullopt;
  if (now.at.empty())
    return BreakpointFinding{{"BREAKPOINT_MISSING", "breakpoint", "the request carries no cache_control"},
                             {}};
  if (before.automatic || before.at.empty()) return std::nullopt;
  const std::size_t last = before.at.back();
  const auto read = FurthestRead(before.at, now.at);
  if (now.at.back() < now.first_message && last < before.first_message)
    return BreakpointFinding{
        {"BREAKPOINT_MISSING", "breakpoint", "no cache_control stands in the conversation, only before it"},
        {}};
  if (now.at.back() <= last)
    return BreakpointFinding{{"BREAKPOINT_NOT_ADVANCING", "breakpoint",
                              "the last cache_control stands where it stood although the conversation grew"},
                             {}};
  if (read && *read == last) return std::nullopt;
  const std::size_t distance = now.at.back() - last;
  return BreakpointFinding{{"LOOKBACK_EXCEEDED", "lookback",
                            std::to_string(distance) + " blocks after the last write; a read looks at " +
                                std::to_string(kLookbackBlocks) + " blocks"},
                           distance};
}

}  // namespace helix::consistency
