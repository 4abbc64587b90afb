// Everything that is computed from the samples of a report, once, for the checks, the verdict and the reader.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/paired_ratio.h"
#include "core/base/json.h"

namespace helix::analysis {

struct ReportView;

// One arm's finished, measured samples (warm-up and other arms left out).
struct ArmSummary {
  std::size_t n = 0;       // finished
  std::size_t failed = 0;  // planned for this arm and not finished
  std::optional<std::int64_t> cached_max;
  std::optional<double> reused_share_min;  // least cached_n / expected_cached
  std::optional<double> ttft_ms_p50;       // type 7
  std::optional<double> ttft_ms_p95;       // nearest rank
  bool p95_is_max = true;                  // n < 20: the "p95" is the slowest sample
  // Order-statistic 95 % bounds of the median and the p95; absent where n is too small for one.
  std::optional<double> ttft_ms_p50_low, ttft_ms_p50_high, ttft_ms_p95_high;
  std::optional<double> prefill_ms_p50;  // server clock
  std::optional<double> total_ms_p50;    // client clock
  std::optional<double> decode_tokens_per_s;
  std::size_t severe_outliers = 0;  // |x - median| / MAD > 14.826; kept in every number

  [[nodiscard]] Json ToJson() const;
};

struct TimeSeries {  // residuals of ln(ttft) after arm medians and the order effect, by send time
  std::size_t n = 0;
  double kendall_p = 1;
  double drift_log = 0;  // Theil-Sen slope times n
  double r1 = 0;         // lag-1 autocorrelation
  double ljung_box_p = 1;
  double effective_n = 0;                // n (1 - r1) / (1 + r1), at most n
  std::optional<double> order_p;         // crossover test of the period effect
  std::optional<double> order_effect;    // ln ratio by which the second call of a pair differs
  std::optional<double> change_point_p;  // range of the CUSUM, 10,000 permutations; n >= 20
  std::optional<std::size_t> change_point_after;

  [[nodiscard]] Json ToJson() const;
};

struct Statistics {
  std::optional<PairedRatio> prefill;     // server prompt_ms
  std::optional<PairedRatio> end_to_end;  // client total
  std::optional<PairedRatio> ttft;        // client
  std::optional<PairedRatio> decode;      // server decode time per token; a prefix cache cannot change it
  std::optional<PairedRatio> a_a;         // off against off_aa, TTFT: the noise floor
  std::optional<double> noise_floor;      // half-width of the A/A interval, as a ratio above 1
  std::optional<double> skip_bound;       // median of n/u: prompt tokens over tokens evaluated, `on` arm
  std::optional<double> skipped_share;    // median of cached_n / prompt_tokens, `on` arm
  ArmSummary off;
  ArmSummary on;
  TimeSeries series;
  std::uint64_t bootstrap_seed = 0;
  double alpha =
      0.05;  // two-sided level of the headline intervals: less than 5 % where the plan looks more than once

  // The ratio that the report's metric names (plan.metric, else claim.metric, else ttft).
  [[nodiscard]] const std::optional<PairedRatio>& ForMetric(const std::string& metric) const;
  [[nodiscard]] Json ToJson() const;
};

struct StatisticsOptions {
  BootstrapSettings bootstrap;
  int permutations = 10'000;  // of the change-point test; 0: left out
};

Statistics StatisticsOf(const ReportView& report, const StatisticsOptions& options);

}  // namespace helix::analysis
