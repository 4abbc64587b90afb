// The time series that drift and autocorrelation are tested on.
#pragma once
#include <vector>

#include "core/analysis/report_view.h"
#include "core/analysis/statistics.h"

namespace helix::analysis {

// ln of the measured time of each finished sample in seq order, less its arm's median and the effect of being
// the second call of a pair. TTFT where every sample has one, else the server's prefill time, else the
// client's total. Empty when there are fewer than 3.
std::vector<double> ResidualsOf(const ReportView& report);

// Long runs are cut to this many values (medians of consecutive blocks) before the tests that compare all
// pairs.
inline constexpr std::size_t kSeriesLimit = 1000;

TimeSeries SeriesOf(const ReportView& report, int permutations, std::uint64_t seed);

}  // namespace helix::analysis
