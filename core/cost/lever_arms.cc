#include "core/cost/lever_arms.h"

#include "core/cost/usage_cost.h"

namespace helix::cost {
namespace {

struct Sent {
  std::int64_t read = 0;
  std::int64_t written = 0;
  std::int64_t out = 0;
};

// The conversation's turns with a marker at the end of each; `rewrite`: history changes every turn.
std::vector<Sent> Send(const LeverInput& input, bool compress, bool rewrite) {
  std::vector<Sent> sent;
  std::int64_t fixed = input.static_tokens + (compress ? input.overhead_tokens : 0);
  std::int64_t before = 0;
  std::int64_t last_out = 0;
  std::vector<RecordedTurn> turns = input.turns;
  if (compress && !turns.empty()) {
    const RecordedTurn last = turns.back();
    turns.insert(turns.end(), static_cast<std::size_t>(input.extra_turns), last);
  }
  for (const auto& turn : turns) {
    std::int64_t added = compress ? turn.compressed_tokens : turn.new_tokens;
    std::int64_t whole = (before == 0 ? fixed : before) + last_out + added;
    std::int64_t read = before == 0 ? 0 : (rewrite ? fixed : before);
    sent.push_back({read, whole - read, turn.out_tokens});
    before = whole;
    last_out = turn.out_tokens;
  }
  return sent;
}

Money CostOfSent(const std::vector<Sent>& sent, const PriceRow& prices, bool cached) {
  Money sum;
  for (const auto& turn : sent) {
    auto put = [](std::int64_t n) { return Measured<Tokens>(Tokens{n}, Origin::kEstimated); };
    usage::Usage usage;
    usage.in_total = put(turn.read + turn.written);
    usage.in_uncached = put(0);
    usage.cache_read = put(turn.read);
    usage.cache_write_5m = put(turn.written);
    usage.out_total = put(turn.out);
    sum += (cached ? CostOf(usage, prices) : CostWithoutCache(usage, prices)).total;
  }
  return sum;
}

std::string Headline(const LeverArms& arms, const LeverInput& input) {
  if (!input.gates_passed) return "No saving: a quality gate failed, so what was left out does not count.";
  if (arms.net_saving.count <= 0) {
    return "No saving: beside the provider's cache the compressed conversation costs $" +
           ToText(Money{-arms.net_saving.count}) + " more.";
  }
  return "Compression on entry saves $" + ToText(arms.net_saving) + " of $" + ToText(arms.cached) +
         " beside the provider's cache.";
}

}  // namespace

LeverArms CompareLevers(const LeverInput& input, const PriceRow& prices) {
  LeverArms arms;
  const auto plain = Send(input, false, false);
  const auto compressed = Send(input, true, false);
  arms.off = CostOfSent(plain, prices, false);
  arms.cached = CostOfSent(plain, prices, true);
  arms.compressed = CostOfSent(compressed, prices, false) + input.compressor_cost;
  arms.compressed_cached = CostOfSent(compressed, prices, true) + input.compressor_cost;
  arms.recompressed_history = CostOfSent(Send(input, true, true), prices, true) + input.compressor_cost;
  arms.saved_by_provider = arms.off - arms.cached;
  if (input.gates_passed) arms.net_saving = arms.cached - arms.compressed_cached;
  arms.control_is_dearer = arms.recompressed_history > arms.cached;
  arms.headline = Headline(arms, input);
  return arms;
}

Json ToJson(const LeverArms& arms) {
  return {{"off", ToText(arms.off)},
          {"cached", ToText(arms.cached)},
          {"compressed", ToText(arms.compressed)},
          {"compressed_cached", ToText(arms.compressed_cached)},
          {"recompressed_history", ToText(arms.recompressed_history)},
          {"net_saving", ToText(arms.net_saving)},
          {"saved_by_provider", ToText(arms.saved_by_provider)},
          {"control_is_dearer", arms.control_is_dearer},
          {"headline", arms.headline}};
}

}  // namespace helix::cost
