#include "core/tracks/track_b/decode_comparison.h"

#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"
#include "core/tracks/track_b/ttft_difference.h"

namespace helix::tracks {
namespace {

using Calls = std::vector<const TrackBCall*>;

std::vector<double> Rates(const Calls& calls) {
  std::vector<double> out;
  for (const auto* call : calls) {
    if (call->reply.ok && call->reply.decode_tokens_per_s.present()) {
      out.push_back(call->reply.decode_tokens_per_s.value());
    }
  }
  return out;
}

std::optional<Difference> RateDifference(const Calls& cold, const Calls& warm) {
  std::vector<double> a;
  std::vector<double> b;
  for (const auto* first : cold) {
    for (const auto* second : warm) {
      bool same = first->planned.pair == second->planned.pair && first->reply.ok && second->reply.ok;
      if (!same || !first->reply.decode_tokens_per_s.present() ||
          !second->reply.decode_tokens_per_s.present())
        continue;
      a.push_back(first->reply.decode_tokens_per_s.value());
      b.push_back(second->reply.decode_tokens_per_s.value());
    }
  }
  return PairedDifference(a, b);
}

std::string Statement(const std::optional<Difference>& difference) {
  if (!difference || !difference->has_interval) return "not measured: too few pairs with 32 output tokens";
  bool beyond_noise = difference->ci_low > 0 || difference->ci_high < 0;
  if (!beyond_noise) return "no difference beyond noise";
  return "the arms differ; the cache does not hold generated tokens, so the cause is elsewhere";
}

}  // namespace

Json DecodeComparison(const Calls& cold, const Calls& warm) {
  auto difference = RateDifference(cold, warm);
  return {{"cold_tokens_per_s_p50", OrNull(analysis::Median(Rates(cold)))},
          {"warm_tokens_per_s_p50", OrNull(analysis::Median(Rates(warm)))},
          {"difference_tokens_per_s", difference ? difference->ToJson() : Json()},
          {"statement", Statement(difference)}};
}

}  // namespace helix::tracks
