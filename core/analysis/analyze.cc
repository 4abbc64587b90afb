#include "core/analysis/analyze.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/checks/check.h"
#include "core/analysis/kept_heap.h"
#include "core/analysis/report_view.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

std::string MetricOf(const ReportView& r) {
  for (const Json* part : {&r.Plan(), &r.Claim()}) {
    auto metric = StringAt(*part, "metric");
    if (!metric) continue;
    if (*metric == "prefill" || *metric == "prompt_ms") return "prefill";
    if (*metric == "total" || *metric == "end_to_end" || *metric == "e2e") return "total";
    return "ttft";
  }
  return "ttft";
}

// Rows that the plan, hashed before the first sample, says this set-up cannot record.
std::vector<std::string> DeclaredMissing(const ReportView& r) {
  std::vector<std::string> out;
  const Json* list = Find(r.Plan(), "may_be_missing");
  if (list == nullptr || !list->is_array()) return out;
  for (const auto& row : *list) {
    if (row.is_string()) out.push_back(row.get<std::string>());
  }
  return out;
}

// What a cold call may reuse: as stated, but never so much that cold and warm could not be told apart.
double ColdAllowance(const ReportView& r) {
  double allowed = NumberAt(r.Backend(), "cold_allow").value_or(0);
  for (std::size_t i : r.on) {
    double expected = r.at(i).expected_cached;
    if (expected > 0) allowed = std::min(allowed, std::floor(expected / 2));
  }
  return allowed;
}

bool ClaimsEquality(const ReportView& r) {
  const Json* claim = Find(r.Equivalence(), "claim");
  return claim != nullptr && !claim->is_null() && *claim != "none";
}

bool Allowed(const Check& check, const ReportView& r, const std::vector<std::string>& declared) {
  if (check.absence == Absence::kMayBeMissing) return true;
  if (check.absence == Absence::kBlocksPass) return false;
  if (check.absence == Absence::kWithoutEquality && ClaimsEquality(r)) return false;
  return std::find(declared.begin(), declared.end(), check.row) != declared.end();
}

void RunChecks(const CheckInput& input, const AnalyzeOptions& options, Analysis& out) {
  auto declared = DeclaredMissing(input.report);
  for (const auto& check : Catalogue()) {
    if (options.disabled == std::string(check.row) + ":" + check.code) continue;
    CheckAnswer answer{
        check.row, check.code, CheckAnswer::State::kOk, {}, Allowed(check, input.report, declared)};
    Reporter reporter(check, out.findings, answer);
    check.run(input, reporter);
    out.checks.push_back(std::move(answer));
  }
}

// What the oracle found on the run's own prompts. It is no row of the catalogue: the report does not lie, the
// cache does.
void AddCorruption(const ReportView& r, Analysis& out) {
  if (StringAt(r.Equivalence(), "class") != "CORRUPTION") return;
  out.findings.push_back({"DIVERGED_DEFECT", Severity::kFail, "/equivalence/class", "CORRUPTION",
                          "cached answers that differ from fresh ones by numerics at most",
                          "do not use this cache: a speed-up with wrong answers is none; check_equivalence "
                          "shows where the answers part"});
}

bool IsSkip(const ReportView& r) {
  return StringAt(*r.root, "verdict") == "SKIP" && r.samples.empty();
}

void Judge(const ReportView& r, Analysis& out) {
  VerdictFacts facts;
  facts.skipped = IsSkip(r);
  facts.synthetic = out.synthetic;
  facts.ratio = out.statistics.ForMetric(out.metric);
  for (const auto& finding : out.findings) {
    if (finding.severity == Severity::kFail) facts.any_fail = true;
    if (finding.severity != Severity::kInconclusive) continue;
    if (std::find(facts.inconclusive.begin(), facts.inconclusive.end(), finding.code) ==
        facts.inconclusive.end()) {
      facts.inconclusive.push_back(finding.code);
    }
  }
  for (const auto& answer : out.checks) {
    if (answer.state != CheckAnswer::State::kNotCheckable || answer.may_be_missing) continue;
    facts.unchecked.push_back(answer.row + " (" + answer.missing + ")");
  }
  Decision decision = Decide(facts);
  out.verdict = decision.verdict;
  out.reason = decision.reason;
  out.direction = decision.direction;
}

Json NotCheckable(const std::vector<CheckAnswer>& checks) {
  Json out = Json::array();
  for (const auto& answer : checks) {
    if (answer.state == CheckAnswer::State::kNotCheckable) out.push_back(answer.ToJson());
  }
  return out;
}

}  // namespace

std::vector<std::string> Analysis::Codes() const {
  std::vector<std::string> out;
  for (const auto& finding : findings) out.push_back(finding.code);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Json Analysis::ToJson() const {
  Json out{
      {"verdict", VerdictName(verdict)}, {"reason", reason}, {"direction", direction}, {"codes", Codes()}};
  out["findings"] = Json::array();
  for (const auto& finding : findings) out["findings"].push_back(finding.ToJson());
  out["synthetic"] = synthetic;
  out["synthetic_weights"] = synthetic_weights;
  out["checks_made"] = std::count_if(checks.begin(), checks.end(), [](const CheckAnswer& a) {
    return a.state != CheckAnswer::State::kNotCheckable;
  });
  out["checks_in_all"] = checks.size();
  out["not_checkable"] = NotCheckable(checks);
  out["unknown_fields"] = unknown_fields;
  if (verdict == Verdict::kSkip) return out;
  out["metric"] = metric;
  out["statistics"] = statistics.ToJson();
  return out;
}

Analysis Analyze(const Json& report, const AnalyzeOptions& options) {
  ReportView view = ReadReport(report);
  return AnalyzeView(view, options);
}

Analysis AnalyzeView(const ReportView& view, const AnalyzeOptions& options) {
  KeptHeap heap(view.samples.size() > 50'000);
  Analysis out;
  out.unknown_fields = view.unknown;
  out.synthetic = BoolAt(*view.root, "synthetic").value_or(false);
  out.synthetic_weights = StringAt(view.Backend(), "model/weights") == "synthetic";
  out.metric = MetricOf(view);
  out.statistics = StatisticsOf(view, options.statistics);
  CheckInput input{view, out.statistics, out.metric, ColdAllowance(view)};
  RunChecks(input, options, out);
  AddCorruption(view, out);
  Judge(view, out);
  return out;
}

Analysis AnalyzeBytes(std::string_view bytes, const AnalyzeOptions& options) {
  auto report = ParseStrict(bytes);
  if (report) return Analyze(*report, options);
  Analysis out;
  out.verdict = Verdict::kFail;
  out.reason = "the report cannot be read";
  out.metric = "ttft";
  out.findings.push_back({"unparseable_report", Severity::kFail, "", report.error().message,
                          "strict JSON: no duplicate keys, no NaN or Infinity, no integer beyond 2^53",
                          "write the report with a JSON writer and analyse it again"});
  return out;
}

}  // namespace helix::analysis
