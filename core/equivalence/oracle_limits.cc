#include "core/equivalence/oracle_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/equivalence/mismatch_bound.h"
#include "core/equivalence/oracle_verdict.h"
#include "core/equivalence/thresholds.h"

namespace helix::equivalence {
namespace {

std::string Sensitivity(const OracleResult& result) {
  if (result.cls == Class::kNondeterministicBaseline)
    return "a wrong cache is not told from the server's own spread by single answers";
  if (!result.noise_known) {
    return "no control arm gave log-probabilities: a wrong cache shows only where it changes a token";
  }
  return fmt::format(
      "a wrong cache that moves no compared log-probability by more than {:.1e} nat is not told from "
      "numerics",
      Tolerance(result.noise));
}

void AddProfile(OracleResult& result, const OracleOptions& options) {
  if (options.profile != "quick") return;
  result.limits.push_back(
      fmt::format("quick: {} prompts of {} tokens and {} turns; lengths beside {} only, no prefix that ends "
                  "at a boundary: a "
                  "defect at other lengths, in later tokens or in later turns is not detected (the standard "
                  "profile covers them)",
                  options.shapes.prompts, options.shapes.output_tokens, options.conversation.turns,
                  fmt::join(options.shapes.boundaries, ", ")));
}

struct Shaped {
  int matched = 0;
  int equal = 0;
};

Shaped CountShaped(const OracleResult& result) {
  Shaped out;
  for (const CaseResult& one : result.cases) {
    if (!one.control.shape_matched || !one.control.equals_cached) continue;
    ++out.matched;
    out.equal += *one.control.equals_cached ? 1 : 0;
  }
  return out;
}

}  // namespace

std::string ExplainNumerics(const OracleResult& result) {
  if (!result.d_cf) return "no log-probabilities were compared";
  if (result.cls == Class::kNondeterministicBaseline) {
    return "fresh answers do not repeat themselves: what they differ by is no effect of the batch shape "
           "alone";
  }
  if (!result.noise_known) return "no control arm measured the numerics of this configuration";
  if (result.d_cf->max == 0 && result.noise == 0) {
    return fmt::format(
        "cached, fresh and differently batched answers are equal to the bit at all {} compared positions: "
        "this "
        "configuration is exact, any difference would be a defect",
        result.d_cf->positions);
  }
  std::string text = fmt::format(
      "log-probabilities depend on the batch shape: fresh answers in another shape differ by up to {:.2e} "
      "nat, cached "
      "from fresh by up to {:.2e} nat",
      result.noise, result.d_cf->max);
  const Shaped shaped = CountShaped(result);
  if (shaped.matched > 0) {
    text += fmt::format(
        "; fresh answers in the cached request's own shape equal the cached ones to the bit in {} of {} "
        "cases",
        shaped.equal, shaped.matched);
  }
  return text;
}

void AddLimits(OracleResult& result, const OracleOptions& options,
               const std::vector<std::int64_t>& left_out) {
  const MismatchCount count = CountMismatches(result);
  result.limits.push_back(BoundSentence(count.mismatches, count.compared));
  result.limits.push_back(Sensitivity(result));
  AddProfile(result, options);
  if (!left_out.empty()) {
    result.limits.push_back(
        fmt::format("lengths beside {} do not fit into the server's context and were left out",
                    fmt::join(left_out, ", ")));
  }
  if (options.server_ubatch == 0) {
    result.limits.push_back(
        "the server's micro-batch size is not known: its own boundaries were not tried by name");
  }
  if (result.canary.status == CanaryStatus::kNotApplicable) {
    result.limits.push_back("needle canary not applicable: " + result.canary.detail);
  }
  result.limits.push_back("holds for this build, these flags, this cache type and one request in flight");
}

}  // namespace helix::equivalence
