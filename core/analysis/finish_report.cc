#include "core/analysis/finish_report.h"

#include "core/analysis/report_view.h"
#include "core/base/json_fields.h"
#include "core/evidence/merkle.h"

namespace helix::analysis {
namespace {

std::string MerkleOf(const ReportView& view) {
  evidence::Digest root{};
  evidence::MerkleRootOfHexDigests(LeavesInSeqOrder(view), root);
  return evidence::Hex(root);
}

void PutNs(Json& claim, const char* name, const std::optional<double>& ms) {
  if (ms) claim[name] = *ms * 1e6;
}

Json MakeClaim(const Json& record, const Analysis& analysis) {
  const Statistics& s = analysis.statistics;
  Json claim{{"metric", analysis.metric}, {"kind", "measured"}, {"label", "measured"}};
  PutNs(claim, "p50_off", s.off.ttft_ms_p50);
  PutNs(claim, "p50_on", s.on.ttft_ms_p50);
  PutNs(claim, "p95_off", s.off.ttft_ms_p95);
  PutNs(claim, "p95_on", s.on.ttft_ms_p95);
  claim["p95_is_max"] = s.off.p95_is_max || s.on.p95_is_max;
  if (s.ttft) claim["speedup_ttft"] = s.ttft->ratio.value;
  if (s.end_to_end) claim["speedup_total"] = s.end_to_end->ratio.value;
  if (s.prefill) claim["speedup_prefill"] = s.prefill->ratio.value;
  const auto& headline = s.ForMetric(analysis.metric);
  if (headline && headline->ratio.has_interval) {
    claim["ci"] = {headline->ratio.ci_low, headline->ratio.ci_high};
  }
  claim["direction"] = analysis.direction.empty() ? "undecided" : analysis.direction;
  claim["runs_executed"] = IntAt(record, "claim/runs_executed").value_or(1);
  claim["runs_reported"] = IntAt(record, "claim/runs_reported").value_or(1);
  return claim;
}

}  // namespace

Analysis FinishReport(Json& record, const AnalyzeOptions& options) {
  record["merkle_root"] = MerkleOf(ReadReport(record));
  Json kept = record.contains("claim") ? record["claim"] : Json::object();
  record["claim"] = {{"metric", StringAt(record, "plan/metric").value_or("ttft")},
                     {"direction", "undecided"}};
  record["verdict"] = "INCONCLUSIVE";
  Analysis first = Analyze(record, options);
  Json with_runs{{"claim", kept}};
  record["claim"] = MakeClaim(with_runs, first);
  Analysis second = Analyze(record, options);
  record["verdict"] = VerdictName(second.verdict);
  record["statistics"] = second.statistics.ToJson();
  record["reason"] = second.reason;
  return second;
}

}  // namespace helix::analysis
