// Turns the record of a run into a report: adds what follows from the samples. The only way a claim is made.
#pragma once
#include "core/analysis/analyze.h"

namespace helix::analysis {

// `record` holds schema, plan, plan_sha256, t_plan_ns, wall_ns, env, backend, samples and, where it was
// measured, equivalence. Sets merkle_root, claim (values only where the samples give them; {"runs_executed",
// "runs_reported"} are taken from `record["claim"]` when present, else 1), statistics and verdict, and
// returns the analysis of the finished report: Analyze(finished) gives the same again.
Analysis FinishReport(Json& record, const AnalyzeOptions& options = {});

}  // namespace helix::analysis
