// The checks of group D, one function per row of its table in statistics.cc.
#pragma once
#include "core/analysis/checks/check.h"

namespace helix::analysis::checks {

void TooFew(const CheckInput& in, Reporter& out);
void Unpaired(const CheckInput& in, Reporter& out);
void MissingSamples(const CheckInput& in, Reporter& out);
void UnruledExclusion(const CheckInput& in, Reporter& out);
void BlockedOrder(const CheckInput& in, Reporter& out);
void BestOfRuns(const CheckInput& in, Reporter& out);
void OptionalStopping(const CheckInput& in, Reporter& out);
void EvidenceReused(const CheckInput& in, Reporter& out);
void PooledWorkloads(const CheckInput& in, Reporter& out);
void DuplicateRequests(const CheckInput& in, Reporter& out);
void Drift(const CheckInput& in, Reporter& out);
void OrderEffect(const CheckInput& in, Reporter& out);
void AutocorrelationIgnored(const CheckInput& in, Reporter& out);
void DuplicateRows(const CheckInput& in, Reporter& out);
void VarianceTooLow(const CheckInput& in, Reporter& out);
void RoundNumbers(const CheckInput& in, Reporter& out);
void ConstantRatio(const CheckInput& in, Reporter& out);
void ArithmeticSequence(const CheckInput& in, Reporter& out);
void NoiseFloorIgnored(const CheckInput& in, Reporter& out);
void P95Unsupported(const CheckInput& in, Reporter& out);
void SummaryMismatch(const CheckInput& in, Reporter& out);
void MixedStatistics(const CheckInput& in, Reporter& out);
void IntervalIncludesOne(const CheckInput& in, Reporter& out);
void FalsePrecision(const CheckInput& in, Reporter& out);
void DerivedAsMeasured(const CheckInput& in, Reporter& out);
void PercentRatioConfusion(const CheckInput& in, Reporter& out);
void UnitsMismatch(const CheckInput& in, Reporter& out);
void MetricSwitched(const CheckInput& in, Reporter& out);
void MeanOfRatios(const CheckInput& in, Reporter& out);
void PerTokenOfTotal(const CheckInput& in, Reporter& out);

}  // namespace helix::analysis::checks
