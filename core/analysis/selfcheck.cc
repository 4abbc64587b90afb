#include "core/analysis/selfcheck.h"

#include <algorithm>
#include <set>

#include "core/analysis/analyze.h"
#include "core/analysis/checks/check.h"
#include "core/analysis/golden/boundaries.h"
#include "core/analysis/golden/golden.h"

namespace helix::analysis {
namespace {

AnalyzeOptions Quick(const std::string& disabled) {
  AnalyzeOptions options;
  options.statistics = {{42, 0}, 0};
  options.disabled = disabled;
  return options;
}

const std::vector<GoldenOptions>& GoodOnes() {
  static const std::vector<GoldenOptions> all = {{1, 10, 0.01},      {2, 12, 0.03}, {3, 20, 0.05, 0.02},
                                                 {4, 30, 0.10},      {5, 50, 0.20}, {6, 15, 0.02},
                                                 {8, 40, 0.08, 0.02}};
  return all;
}

void JudgeGood(const GoldenOptions& options, const std::string& disabled, SelfcheckResult& out) {
  ++out.good;
  Analysis analysis = Analyze(GoldenReport(options), Quick(disabled));
  auto codes = analysis.Codes();
  if (codes.empty() && analysis.verdict == Verdict::kPass && analysis.direction == "faster") return;
  out.failures.push_back(
      {"good-" + std::to_string(options.seed), {}, codes, "a sound report must pass without a finding"});
}

void JudgeBad(const Recipe& recipe, const std::string& disabled, SelfcheckResult& out) {
  ++out.bad;
  Analysis analysis = Analyze(GoldenBad(recipe), Quick(disabled));
  auto codes = analysis.Codes();
  auto expected = ExpectedCodes(recipe);
  std::string why;
  if (codes != expected) {
    bool own = std::binary_search(codes.begin(), codes.end(), recipe.code);
    why = codes.empty() ? "missed" : own ? "other codes than expected" : "not found by its own code";
  } else if (analysis.verdict == Verdict::kPass && analysis.findings.front().severity != Severity::kWarn) {
    why = "found, and passed all the same";
  }
  if (!why.empty()) out.failures.push_back({recipe.name, expected, codes, why});
}

bool Raises(const Boundary& boundary, double value, const std::string& disabled) {
  auto codes = Analyze(BoundaryReport(boundary, value), Quick(disabled)).Codes();
  return std::binary_search(codes.begin(), codes.end(), boundary.code);
}

void JudgeBoundary(const Boundary& boundary, const std::string& disabled, SelfcheckResult& out) {
  ++out.boundaries;
  std::string name = std::string("boundary-") + boundary.row + "-" + boundary.name;
  if (Raises(boundary, boundary.inside, disabled))
    out.failures.push_back({name, {}, {boundary.code}, "raised inside its threshold"});
  if (!Raises(boundary, boundary.beyond, disabled))
    out.failures.push_back({name, {boundary.code}, {}, "missed beyond its threshold"});
}

}  // namespace

SelfcheckResult RunSelfcheck(const std::string& disabled) {
  SelfcheckResult out;
  for (const auto& options : GoodOnes()) JudgeGood(options, disabled, out);
  for (const auto& recipe : Recipes()) JudgeBad(recipe, disabled, out);
  for (const auto& boundary : Boundaries()) JudgeBoundary(boundary, disabled, out);
  std::set<std::string> rows;
  std::set<std::string> covered;
  std::set<std::string> raised;
  for (const auto& recipe : Recipes()) raised.insert(std::string(recipe.row) + ":" + recipe.code);
  for (const auto& check : Catalogue()) {
    rows.insert(check.row);
    std::string key = std::string(check.row) + ":" + check.code;
    if (raised.count(key) != 0) {
      covered.insert(check.row);
    } else {
      out.failures.push_back({key, {check.code}, {}, "no golden-bad report for this check"});
    }
  }
  out.checks = Catalogue().size();
  out.rows = rows.size();
  out.rows_with_report = covered.size();
  return out;
}

Json SelfcheckResult::ToJson() const {
  Json out{{"verdict", passed() ? "PASS" : "FAIL"},
           {"good", good},
           {"bad", bad},
           {"checks", checks},
           {"rows", rows},
           {"rows_with_report", rows_with_report},
           {"boundaries", boundaries}};
  out["failures"] = Json::array();
  for (const auto& failure : failures) {
    out["failures"].push_back({{"report", failure.report},
                               {"expected", failure.expected},
                               {"seen", failure.seen},
                               {"why", failure.why}});
  }
  out["notice"] = "every number in these reports is synthetic: they test the checks, not a server";
  return out;
}

}  // namespace helix::analysis
