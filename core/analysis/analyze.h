// The judge: a recorded report in, a verdict with its reasons out. It looks at nothing else, so the same
// function serves a fresh run, `verify` on an old file, and every golden fixture.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/finding.h"
#include "core/analysis/statistics.h"
#include "core/analysis/verdict.h"
#include "core/base/json.h"

namespace helix::analysis {

struct AnalyzeOptions {
  StatisticsOptions statistics;
  std::string
      disabled;  // "C04:total_lt_ttft" leaves that check out: the mutation test of the checks themselves
};

struct Analysis {
  Verdict verdict = Verdict::kInconclusive;
  std::string reason;
  std::string direction;  // "faster", "slower", "no_practical_difference" or empty
  std::vector<Finding> findings;
  std::vector<CheckAnswer> checks;          // every row of the catalogue, in its order
  std::vector<std::string> unknown_fields;  // JSON pointers; listed, not judged
  Statistics statistics;
  bool synthetic = false;
  bool synthetic_weights = false;
  std::string metric;  // "ttft", "total" or "prefill"

  // Sorted, each once.
  [[nodiscard]] std::vector<std::string> Codes() const;
  // {verdict, reason, direction, codes, findings, not_checkable, statistics, ...}. The numbers are left out
  // when the verdict is SKIP.
  [[nodiscard]] Json ToJson() const;
};

// `report` is any JSON value; anything missing or of the wrong type is a finding or a check that could not be
// made, never a crash. The report's own "verdict" is a claim to be checked, not an input.
Analysis Analyze(const Json& report, const AnalyzeOptions& options = {});

// The same from a view that a program built itself. `view.root` must be set.
struct ReportView;
Analysis AnalyzeView(const ReportView& view, const AnalyzeOptions& options = {});

// From the file's bytes: what is not strict JSON is the finding unparseable_report with its position.
Analysis AnalyzeBytes(std::string_view bytes, const AnalyzeOptions& options = {});

}  // namespace helix::analysis
