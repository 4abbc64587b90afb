#include "core/equivalence/hit_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace helix::equivalence {
namespace {

bool DeniesCounters(const Refusal& refusal) {
  static const std::set<std::string> codes = {
      "counter_missing",  "fresh_was_cached",     "cached_was_fresh",     "cached_gt_prompt",
      "counter_identity", "prompt_tokens_differ", "trivial_prefix_as_hit"};
  return codes.contains(refusal.code);
}

// A hit on three quarters of a long prompt leaves a fraction of its work; above this share of the fresh time
// nothing was saved.
constexpr double kNoTimeSaved = 0.9;
constexpr std::size_t kLongPrompt = 128;

struct PrefillTimes {
  double cached_ms = 0;
  double fresh_ms = 0;
};

PrefillTimes TimesOf(const OracleResult& result) {
  PrefillTimes out;
  for (const CaseResult& one : result.cases) {
    const ArmOutput& cached = one.answers.cached.output;
    const ArmOutput& fresh = one.answers.fresh.output;
    const auto prompt = static_cast<double>(one.shape.prompt.size());
    const bool long_hit = one.shape.prompt.size() >= kLongPrompt &&
                          static_cast<double>(cached.cached_tokens.value_or(0)) >= 0.75 * prompt;
    if (!long_hit || !cached.prefill_ms || !fresh.prefill_ms) continue;
    out.cached_ms += *cached.prefill_ms;
    out.fresh_ms += *fresh.prefill_ms;
  }
  return out;
}

}  // namespace

NegativeControl HitCounter(const OracleResult& result) {
  NegativeControl out;
  out.kind = "hit_counter";
  int proven = 0;
  for (const CaseResult& one : result.cases) {
    proven += std::any_of(one.refused.begin(), one.refused.end(), DeniesCounters) ? 0 : 1;
  }
  const auto all = static_cast<int>(result.cases.size());
  out.detected = all > 0 && proven == all;
  out.detail = fmt::format("counters prove both arms in {} of {} cases", proven, all);
  const PrefillTimes times = TimesOf(result);
  if (times.fresh_ms <= 0) return out;
  out.detail += fmt::format(
      "; where three quarters and more were reused the server spent {:.1f} ms on prompts, "
      "fresh {:.1f} ms",
      times.cached_ms, times.fresh_ms);
  if (times.cached_ms > kNoTimeSaved * times.fresh_ms) {
    out.detected = false;
    out.detail += ": the counter says hit, the server's clock does not";
  }
  return out;
}

}  // namespace helix::equivalence
