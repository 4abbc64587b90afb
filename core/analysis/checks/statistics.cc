// Group D: statistics.
#include "core/analysis/checks/statistics_checks.h"

namespace helix::analysis {

std::vector<Check> StatisticsChecks() {
  using namespace checks;
  constexpr auto F = Severity::kFail;
  constexpr auto W = Severity::kWarn;
  constexpr auto I = Severity::kInconclusive;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"D01", "n_too_small", I, need, "fewer than 10 finished calls in an arm", TooFew},
      {"D02", "unpaired", I, need, "finished calls without a partner", Unpaired},
      {"D03a", "missing_samples", F, need, "planned calls that are not recorded", MissingSamples},
      {"D03b", "asymmetric_or_unruled_exclusion", F, need, "calls excluded in one arm, or without a rule",
       UnruledExclusion},
      {"D04", "blocked_order", F, need, "one arm after the other", BlockedOrder},
      {"D05", "drift", W, need, "the machine changed during the run", Drift},
      {"D06", "order_effect", F, need, "the second call of a pair is slower or faster", OrderEffect},
      {"D07", "autocorrelation", W, need, "calls are not independent", AutocorrelationIgnored},
      {"D08", "duplicate_rows", F, need, "rows copied to the nanosecond", DuplicateRows},
      {"D09", "p95_unsupported", F, need, "a p95 from fewer than 20 calls", P95Unsupported},
      {"D10", "summary_mismatch", F, need, "the summary is not that of the samples", SummaryMismatch},
      {"D11", "mixed_statistics", F, need, "two different statistics divided", MixedStatistics},
      {"D12", "best_of_runs", F, need, "more runs made than reported", BestOfRuns},
      {"D13", "ci_includes_1", F, need, "a difference claimed that may be none", IntervalIncludesOne},
      {"D14", "false_precision", W, free, "more digits shown than the interval supports", FalsePrecision},
      {"D15a", "variance_too_low", F, need, "times without noise", VarianceTooLow},
      {"D15b", "round_numbers", F, need, "times rounded to milliseconds", RoundNumbers},
      {"D16", "constant_ratio", F, need, "one arm is a scaled copy of the other", ConstantRatio},
      {"D17", "arithmetic_sequence", F, need, "times made by a formula", ArithmeticSequence},
      {"D18", "optional_stopping", F, free, "stopped when it looked good", OptionalStopping},
      {"D19", "derived_as_measured", F, need, "a computed constant labelled measured", DerivedAsMeasured},
      {"D20", "evidence_reused", F, need, "one reply is the evidence of two calls", EvidenceReused},
      {"D21", "noise_floor_ignored", F, free, "the effect is within what equal calls differ by",
       NoiseFloorIgnored},
      {"D22", "percent_ratio_confusion", F, need, "a percentage printed as a ratio", PercentRatioConfusion},
      {"D23", "pooled_workloads", F, free, "different workloads in one ratio", PooledWorkloads},
      {"D24", "units_mismatch", F, need, "a rate compared with a time", UnitsMismatch},
      {"D25", "metric_switched", F, free, "another metric than planned", MetricSwitched},
      {"D26", "mean_of_ratios", W, need, "the arithmetic mean of ratios", MeanOfRatios},
      {"D27", "duplicate_requests_counted", F, need, "resends counted as more hits", DuplicateRequests},
      {"D28", "per_token_divided_by_total", F, free, "time per token over tokens that were skipped",
       PerTokenOfTotal},
  };
}

}  // namespace helix::analysis
