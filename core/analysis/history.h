// What the report folder knows about the runs before a report: the same plan run before, the same evidence
// used before.
#pragma once
#include <string>
#include <vector>

#include "core/analysis/finding.h"
#include "core/analysis/foreign_report.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/evidence/run_store.h"

namespace helix::analysis {

// One entry per earlier run that shares the plan, the tree or a reply with `report`: {run_id, plan_sha256,
// reported, merkle_root, shared_evidence}. `reported` is false for a run that was begun and has no report on
// disk. An error when the log cannot be read.
Result<Json> HistoryOf(const evidence::RunStore& store, const Json& report);

// What the rows that look at other runs (best_of_runs, evidence_reused, replayed_report) find with that
// history. Empty for a synthetic report: a stub repeats its bytes.
Result<std::vector<Finding>> FindingsFromHistory(const evidence::RunStore& store, const Json& report);

// AnalyzeAnything on a file. For a report that lies in a report folder (.../runs/<run_id>/report.json beside
// a store) the history is part of what is judged, unless the report is synthetic. The file and the folder are
// only read. An Error only when the file cannot be read.
Result<AnyAnalysis> AnalyzeFile(const std::string& path, const AnalyzeOptions& options = {});

// The report folder that `path` lies in, or empty.
std::string ReportFolderOf(const std::string& path);

}  // namespace helix::analysis
