#include "core/equivalence/oracle_verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/equivalence/hit_counter.h"
#include "core/equivalence/oracle_limits.h"
#include "core/equivalence/thresholds.h"

namespace helix::equivalence {
namespace {

// Half of what the prompt shares with the cache; servers that reuse in blocks may lose one more block.
std::int64_t LeastReuse(std::int64_t shared, std::int64_t block_size) {
  return std::min((shared + 1) / 2, shared - block_size + 1);
}

Comparison ToComparison(const CaseResult& from, const OracleResult& result, const OracleOptions& options) {
  Comparison in;
  in.cached = from.answers.cached.output;
  in.fresh = from.answers.fresh.output;
  in.fresh_again = from.answers.fresh_again.output;
  if (result.noise_known) in.control_noise = result.noise;
  in.map.prompt_tokens = static_cast<std::int64_t>(from.shape.prompt.size());
  in.map.reused_tokens = in.cached.cached_tokens;
  if (options.server_ubatch > 0) in.map.ubatch = options.server_ubatch;
  if (options.block_size > 1) in.map.block_size = options.block_size;
  in.map.turn_starts = from.shape.turn_starts;
  if (options.context_per_slot > 0) in.map.slot_end = options.context_per_slot;
  in.least_reuse = LeastReuse(from.shape.ExpectedReuse(), options.block_size);
  return in;
}

// More reuse than the prompt shares with the cache is a stale prefix, whatever the answer looks like.
void CheckReuse(CaseResult& result) {
  const auto reused = result.answers.cached.output.cached_tokens;
  if (!reused || *reused <= result.shape.ExpectedReuse() || result.finding.cls >= Class::kUnknown) return;
  result.finding.cls = Class::kAmbiguous;
  result.finding.rule = "over_reuse";
  result.finding.reason =
      fmt::format("the server reused {} tokens where the prompt shares {} with the cache; {}", *reused,
                  result.shape.ExpectedReuse(), result.finding.reason);
}

void ClassifyCase(CaseResult& one, const OracleResult& result, const OracleOptions& options) {
  const Comparison in = ToComparison(one, result, options);
  one.refused = Refusals(in, options.refusals);
  if (!one.refused.empty()) return;
  one.finding = Classify(in);
  CheckReuse(one);
}

void RefuseAcross(OracleResult& result) {
  std::vector<std::vector<TokenId>> prompts;
  std::vector<std::vector<TokenId>> outputs;
  for (const CaseResult& one : result.cases) {
    if (!one.answers.fresh.output.has_token_ids) return;
    prompts.push_back(one.shape.prompt);
    outputs.push_back(one.answers.fresh.output.tokens);
    // Cases ask for different lengths: only the shared ones can be the same.
    outputs.back().resize(std::min<std::size_t>(outputs.back().size(), 16));
  }
  result.refused_across = RefusalsAcross(prompts, outputs);
}

const CaseResult* Worst(const OracleResult& result) {
  const CaseResult* worst = nullptr;
  for (const CaseResult& one : result.cases) {
    if (one.refused.empty() && (worst == nullptr || one.finding.cls > worst->finding.cls)) worst = &one;
  }
  return worst;
}

// What stands between a run whose classes are good and a PASS; empty: nothing.
std::string NoPassBecause(const OracleResult& result) {
  for (const CaseResult& one : result.cases) {
    if (!one.refused.empty()) {
      return fmt::format("a comparison was refused ({}): {}", one.refused[0].code, one.refused[0].reason);
    }
  }
  if (!result.refused_across.empty()) return result.refused_across[0].reason;
  for (const NegativeControl& control : result.negative_controls) {
    if (!control.detected) {
      return fmt::format(
          "negative control {} was not detected ({}): the check would not notice a wrong cache", control.kind,
          control.detail);
    }
  }
  if (!result.d_cf && result.canary.status != CanaryStatus::kFound) {
    return "no log-probabilities were compared: a wrong cache can leave every token of such answers as it is";
  }
  const bool content_proven = result.canary.status == CanaryStatus::kFound;
  if (result.noise_known && result.noise > kMostNumerics && !content_proven) {
    return fmt::format(
        "fresh answers in another batch shape differ by {:.2e} nat, more than numerics explain (up to {} nat "
        "in "
        "known engines): either the fresh arm is not fresh or this configuration hides any wrong cache",
        result.noise, kMostNumerics);
  }
  return {};
}

void SetVerdict(OracleResult& result) {
  const CaseResult* worst = Worst(result);
  const std::string obstacle = NoPassBecause(result);
  if (worst == nullptr) {
    result.verdict = "INCONCLUSIVE";
    result.reason = obstacle.empty() ? "nothing was compared" : obstacle;
    return;
  }
  result.cls = worst->finding.cls;
  result.verdict = VerdictOf(*result.cls);
  result.reason = fmt::format("{} ({} of {} tokens): {}", ClassName(*result.cls), worst->shape.shape,
                              worst->shape.prompt.size(), worst->finding.reason);
  if (result.canary.status == CanaryStatus::kWrong && *result.cls < Class::kCorruption) {
    result.cls = Class::kCorruption;
    result.verdict = VerdictOf(*result.cls);
    result.reason = "CORRUPTION (needle canary): " + result.canary.detail;
  }
  if (result.verdict == "PASS" && !obstacle.empty()) {
    result.verdict = "INCONCLUSIVE";
    result.reason = obstacle;
  }
}

}  // namespace

void MeasureNoise(OracleResult& result) {
  DistanceSample cached;
  DistanceSample control;
  DistanceSample again;
  for (const CaseResult& one : result.cases) {
    const ArmAnswers& answers = one.answers;
    cached.Add(ComparableDeltas(answers.cached.output, answers.fresh.output));
    again.Add(ComparableDeltas(answers.fresh.output, answers.fresh_again.output));
    control.Add(one.control.deltas);
  }
  result.d_cf = cached.Summary();
  result.d_gf = control.Summary();
  result.d_ff = again.Summary();
  result.noise_known = result.d_gf.has_value();
  result.noise = std::max(result.d_gf ? result.d_gf->max : 0, result.d_ff ? result.d_ff->max : 0);
}

void Decide(OracleResult& result, const OracleOptions& options, const std::vector<std::int64_t>& left_out) {
  MeasureNoise(result);
  for (CaseResult& one : result.cases) ClassifyCase(one, result, options);
  RefuseAcross(result);
  result.negative_controls.push_back(HitCounter(result));
  SetVerdict(result);
  AddLimits(result, options, left_out);
}

MismatchCount CountMismatches(const OracleResult& result) {
  MismatchCount out;
  for (const CaseResult& one : result.cases) {
    const Class cls = one.finding.cls;
    if (!one.refused.empty() || cls == Class::kUnknown || cls == Class::kNondeterministicBaseline) continue;
    ++out.compared;
    out.mismatches += one.finding.divergence ? 1 : 0;
  }
  return out;
}

}  // namespace helix::equivalence
