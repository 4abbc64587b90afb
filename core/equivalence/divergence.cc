#include "core/equivalence/divergence.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/json_fields.h"
#include "core/equivalence/logprob_distance.h"

namespace helix::equivalence {
namespace {

constexpr std::size_t kShown = 8;

void AddMultiple(std::vector<Boundary>& out, const char* kind, std::optional<std::int64_t> step,
                 std::int64_t at) {
  if (!step || *step <= 1) return;
  const std::int64_t position = (at + *step / 2) / *step * *step;
  out.push_back({kind, position, at - position});
}

void AddPoint(std::vector<Boundary>& out, const char* kind, std::optional<std::int64_t> point,
              std::int64_t at) {
  if (point) out.push_back({kind, *point, at - *point});
}

Json TokenJson(const ArmOutput& arm, std::size_t index) {
  return {{"id", arm.tokens[index]}, {"piece", OrNull(PieceOf(arm, index))}};
}

Json Window(const ArmOutput& arm, std::size_t from, std::size_t to) {
  Json list = Json::array();
  for (std::size_t i = from; i < std::min(to, arm.tokens.size()); ++i) list.push_back(TokenJson(arm, i));
  return list;
}

Json TopFive(const ArmOutput& arm, std::size_t index) {
  Json list = Json::array();
  if (index >= arm.logprobs.size()) return list;
  const auto& top = arm.logprobs[index].top;
  for (std::size_t i = 0; i < std::min<std::size_t>(5, top.size()); ++i) {
    list.push_back({{"id", top[i].id}, {"piece", EscapePiece(top[i].bytes)}, {"logprob", top[i].logprob}});
  }
  return list;
}

std::optional<bool> Swapped(const ArmOutput& cached, const ArmOutput& fresh, std::size_t index) {
  if (index >= cached.logprobs.size() || index >= fresh.logprobs.size()) return std::nullopt;
  const auto& c = cached.logprobs[index].top;
  const auto& f = fresh.logprobs[index].top;
  if (c.size() < 2 || f.size() < 2) return std::nullopt;
  return std::minmax(c[0].id, c[1].id) == std::minmax(f[0].id, f[1].id);
}

std::optional<double> GapAt(const ArmOutput& arm, std::size_t index) {
  return index < arm.logprobs.size() ? TopTwoGap(arm.logprobs[index]) : std::nullopt;
}

Json BoundariesJson(const std::vector<Boundary>& boundaries) {
  Json list = Json::array();
  for (const Boundary& b : boundaries) {
    list.push_back({{"kind", b.kind}, {"position", b.position}, {"distance", b.distance}});
  }
  return list;
}

}  // namespace

std::vector<Boundary> NearestBoundaries(const PromptMap& map, std::int64_t position) {
  std::vector<Boundary> out;
  AddPoint(out, "reuse_end", map.reused_tokens, position);
  AddMultiple(out, "block", map.block_size, position);
  AddMultiple(out, "ubatch", map.ubatch, position);
  const auto nearest = std::min_element(
      map.turn_starts.begin(), map.turn_starts.end(),
      [&](std::int64_t a, std::int64_t b) { return std::llabs(position - a) < std::llabs(position - b); });
  if (nearest != map.turn_starts.end()) AddPoint(out, "turn", *nearest, position);
  AddPoint(out, "slot_end", map.slot_end, position);
  return out;
}

std::optional<Divergence> FindDivergence(const ArmOutput& cached, const ArmOutput& fresh,
                                         const PromptMap& map) {
  const auto index = FirstMismatch(cached.tokens, fresh.tokens);
  if (!index) return std::nullopt;
  const std::size_t i = *index;
  Divergence out;
  out.index = i;
  out.gap_cached = GapAt(cached, i);
  out.gap_fresh = GapAt(fresh, i);
  out.swapped = Swapped(cached, fresh, i);
  if (i < cached.logprobs.size() && i < fresh.logprobs.size()) {
    out.delta = DeltaAt(cached.logprobs[i], fresh.logprobs[i]);
  }
  const std::size_t length = std::max(cached.tokens.size(), fresh.tokens.size());
  out.details = {{"fraction", static_cast<double>(i) / static_cast<double>(length)},
                 {"before", Window(fresh, i > kShown ? i - kShown : 0, i)},
                 {"cached_continuation", Window(cached, i, i + kShown)},
                 {"fresh_continuation", Window(fresh, i, i + kShown)},
                 {"cached_top", TopFive(cached, i)},
                 {"fresh_top", TopFive(fresh, i)}};
  if (map.prompt_tokens) {
    const std::int64_t position = *map.prompt_tokens + static_cast<std::int64_t>(i);
    out.details["position"] = position;
    out.details["nearest_boundaries"] = BoundariesJson(NearestBoundaries(map, position));
  }
  return out;
}

Json ToJson(const Divergence& divergence) {
  Json out = {{"index", divergence.index},
              {"gap_cached", OrNull(divergence.gap_cached)},
              {"gap_fresh", OrNull(divergence.gap_fresh)},
              {"delta", OrNull(divergence.delta)},
              {"top_two_swapped", OrNull(divergence.swapped)}};
  if (divergence.details.is_object()) out.update(divergence.details);
  return out;
}

}  // namespace helix::equivalence
