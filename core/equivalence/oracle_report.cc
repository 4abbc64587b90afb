#include "core/equivalence/oracle_report.h"

#include <fmt/format.h>

#include <set>

#include "core/base/json_fields.h"
#include "core/equivalence/mismatch_bound.h"
#include "core/equivalence/oracle_limits.h"
#include "core/equivalence/oracle_verdict.h"
#include "core/equivalence/thresholds.h"

namespace helix::equivalence {
namespace {

Json SummaryJson(const std::optional<DistanceSummary>& summary) {
  if (!summary) return nullptr;
  return {{"positions", summary->positions},
          {"max", summary->max},
          {"p99", summary->p99},
          {"median", summary->median}};
}

double Largest(const std::vector<double>& deltas) {
  double largest = 0;
  for (const double delta : deltas) largest = std::max(largest, delta);
  return largest;
}

Json ControlJson(const ControlReading& control) {
  Json out = {{"method", control.method}, {"shape_matched", control.shape_matched}};
  out["ubatch"] = control.ubatch > 0 ? Json(control.ubatch) : Json(nullptr);
  out["last_chunk"] = control.last_chunk > 0 ? Json(control.last_chunk) : Json(nullptr);
  out["d_gf_max"] = control.deltas.empty() ? Json(nullptr) : Json(Largest(control.deltas));
  out["tokens_flipped"] = control.tokens_flipped;
  out["equals_cached"] = OrNull(control.equals_cached);
  return out;
}

Json CaseLine(const CaseResult& one) {
  Json out = {{"shape", one.shape.shape},
              {"prompt_tokens", one.shape.prompt.size()},
              {"reused", OrNull(one.answers.cached.output.cached_tokens)},
              {"output_tokens", one.answers.fresh.output.tokens.size()}};
  if (one.shape.boundary > 0) out["boundary"] = one.shape.boundary;
  if (!one.refused.empty()) {
    out["refused"] = one.refused[0].code;
    return out;
  }
  out["class"] = ClassName(one.finding.cls);
  out["bit_equal"] = one.finding.bit_equal;
  out["d_cf_max"] = one.finding.d_cf ? Json(one.finding.d_cf->max) : Json(nullptr);
  out["d_gf_max"] = one.control.deltas.empty() ? Json(nullptr) : Json(Largest(one.control.deltas));
  return out;
}

Json ArmJson(const Answer& answer) {
  return {{"tokens", answer.output.tokens},
          {"cached_tokens", OrNull(answer.output.cached_tokens)},
          {"prompt_tokens", OrNull(answer.output.prompt_tokens)},
          {"finish", answer.output.finish},
          {"raw_request_sha256", answer.request_sha256},
          {"raw_sha256", answer.output.response_sha256}};
}

Json CaseRecord(const CaseResult& one) {
  Json out = CaseLine(one);
  out["shared_with_cache"] = one.shape.shared;
  out["control"] = ControlJson(one.control);
  out["refused"] = ToJson(one.refused);
  if (one.refused.empty()) out["finding"] = ToJson(one.finding);
  out["cached"] = ArmJson(one.answers.cached);
  out["fresh"] = ArmJson(one.answers.fresh);
  out["fresh_again"] = ArmJson(one.answers.fresh_again);
  return out;
}

Json ClassCounts(const OracleResult& result) {
  Json out = Json::object();
  for (const Class cls : kAllClasses) {
    int count = 0;
    for (const CaseResult& one : result.cases) count += one.refused.empty() && one.finding.cls == cls ? 1 : 0;
    if (count > 0) out[ClassName(cls)] = count;
  }
  return out;
}

// The divergence of the worst class; of equals, the first that diverges.
const CaseResult* WorstDivergence(const OracleResult& result) {
  const CaseResult* worst = nullptr;
  for (const CaseResult& one : result.cases) {
    if (!one.refused.empty() || !one.finding.divergence) continue;
    if (worst == nullptr || one.finding.cls > worst->finding.cls) worst = &one;
  }
  return worst;
}

Json ControlsJson(const OracleResult& result) {
  Json list = Json::array();
  for (const NegativeControl& control : result.negative_controls) {
    list.push_back({{"kind", control.kind}, {"detected", control.detected}, {"detail", control.detail}});
  }
  if (result.canary.status != CanaryStatus::kNotApplicable) {
    list.push_back({{"kind", "needle_canary"},
                    {"detected", result.canary.status == CanaryStatus::kFound},
                    {"detail", result.canary.detail}});
  }
  return list;
}

Json NoiseJson(const OracleResult& result) {
  std::set<std::string> methods;
  int matched = 0;
  int flipped = 0;
  for (const CaseResult& one : result.cases) {
    methods.insert(one.control.method);
    matched += one.control.shape_matched ? 1 : 0;
    flipped += one.control.tokens_flipped ? 1 : 0;
  }
  Json out = {{"methods", methods}, {"shape_matched", matched}, {"cases", result.cases.size()}};
  out["d_gf"] = SummaryJson(result.d_gf);
  out["d_ff"] = SummaryJson(result.d_ff);
  out["tokens_flipped"] = flipped;
  out["tolerance"] = result.noise_known ? Json(Tolerance(result.noise)) : Json(nullptr);
  return out;
}

Json DivergenceSummary(const CaseResult& one) {
  Json out = ToJson(*one.finding.divergence);
  out["shape"] = one.shape.shape;
  out["prompt_tokens"] = one.shape.prompt.size();
  return out;
}

Json Notices(const OracleResult& result) {
  Json list = Json::array();
  if (result.cls == Class::kNearTie) {
    list.push_back(
        "The cache flipped near ties: the two leading tokens were closer than numerics of this configuration "
        "move them. That is no defect of the cache, and answers with and without it still differ.");
  }
  return list;
}

}  // namespace

Json ResultJson(const OracleResult& result, const OracleOptions& options) {
  const MismatchCount count = CountMismatches(result);
  const CaseResult* diverged = WorstDivergence(result);
  Json out = {{"verdict", result.verdict}, {"reason", result.reason}};
  out["class"] = result.cls ? Json(ClassName(*result.cls)) : Json(nullptr);
  out["classes"] = ClassCounts(result);
  out["diagnosis"] = result.cls ? OrNull(DiagnosisOf(*result.cls)) : Json(nullptr);
  out["release_blocking"] = result.cls == Class::kCorruption;
  out["notices"] = Notices(result);
  out["negative_controls"] = ControlsJson(result);
  out["first_divergence"] = diverged != nullptr ? Json(diverged->finding.divergence->index) : Json(nullptr);
  if (diverged != nullptr) out["divergence"] = DivergenceSummary(*diverged);
  out["mismatches"] = count.mismatches;
  out["compared"] = count.compared;
  out["bound"] = BoundSentence(count.mismatches, count.compared);
  out["numerics"] = ExplainNumerics(result);
  out["d_cf"] = SummaryJson(result.d_cf);
  out["control"] = NoiseJson(result);
  out["needle_canary"] = {{"status", CanaryStatusName(result.canary.status)},
                          {"detail", result.canary.detail}};
  out["turns"] = {{"count", result.turns},
                  {"free_running_divergence", OrNull(result.free_running_divergence)}};
  out["refused"] = ToJson(result.refused_across);
  if (result.statistical) out["statistical"] = ToJson(*result.statistical);
  out["profile"] = options.profile;
  Json lines = Json::array();
  for (const CaseResult& one : result.cases) lines.push_back(CaseLine(one));
  out["cases"] = std::move(lines);
  out["limits"] = result.limits;
  return out;
}

Json PlanJson(const OracleOptions& options) {
  return {{"profile", options.profile},
          {"seed", options.seed},
          {"prompts", options.shapes.prompts},
          {"prompt_tokens", options.shapes.length},
          {"prompt_tokens_spread", options.shapes.spread},
          {"output_tokens", options.shapes.output_tokens},
          {"boundaries", options.shapes.boundaries},
          {"boundary_tokens", options.shapes.boundary_tokens},
          {"boundary_extensions", options.shapes.boundary_extensions},
          {"turns", options.conversation.turns},
          {"min_tokens", options.refusals.min_tokens},
          {"cold_allow", options.refusals.cold_allow},
          {"slot", options.slot},
          {"sampler", "greedy"},
          {"top_logprobs", 5},
          {"control", options.control_server ? "second_server" : "shape_matched_prompt"}};
}

Json RecordJson(const OracleResult& result, const OracleOptions& options, const backend::Identity& identity) {
  Json out = {{"schema", "helix.equivalence/1"}};
  out.update(ResultJson(result, options));
  out["plan"] = PlanJson(options);
  out["backend"] = {
      {"kind", identity.kind},
      {"build", identity.build},
      {"facts", identity.facts},
      {"model", {{"id", identity.model_id}, {"weights", identity.synthetic_weights ? "synthetic" : "real"}}}};
  out["thresholds"] = {{"print_floor", kPrintFloor},
                       {"noise_factor", kNoiseFactor},
                       {"gap_factor", kGapFactor},
                       {"defect_factor", kDefectFactor},
                       {"near_tie_without_control", kNearTieWithoutControl}};
  Json cases = Json::array();
  for (const CaseResult& one : result.cases) cases.push_back(CaseRecord(one));
  out["cases"] = std::move(cases);
  return out;
}

}  // namespace helix::equivalence
