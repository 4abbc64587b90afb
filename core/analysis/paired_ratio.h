// The headline: how many times longer the `off` call of a pair takes than its `on` call.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/json.h"

namespace helix::analysis {

// A ratio with its 95 % interval. Without an interval (fewer than 6 pairs) nothing may be claimed from it.
struct RatioInterval {
  double value = 0;
  bool has_interval = false;
  double ci_low = 0;
  double ci_high = 0;

  // {value, ci_low, ci_high}; the two bounds are null without an interval.
  [[nodiscard]] Json ToJson() const;
};

struct PairedRatio {
  std::size_t pairs = 0;
  // exp of the Hodges-Lehmann estimate of ln(off/on), interval by inverting Wilcoxon's signed-rank test.
  RatioInterval ratio;
  // Beside it, so that a reader sees whether the choice of estimator matters.
  std::optional<RatioInterval> ratio_of_medians;  // paired percentile bootstrap; up to kBootstrapPairs pairs
  std::optional<RatioInterval> geometric_mean;    // t interval on logs
  bool estimators_disagree = false;               // any two of the three differ by more than 5 %
  std::optional<RatioInterval> ratio_of_means;    // Fieller's interval: what counts for cost and throughput
  std::optional<double> sd_log;                   // of ln(off/on); one pair has none
  std::optional<double> p_wilcoxon;
  std::optional<double> p_sign_flip;     // of the mean log ratio; up to kBootstrapPairs pairs
  std::optional<double> p_mann_whitney;  // as if the pairing were lost; up to kBootstrapPairs pairs
  std::optional<double>
      common_language;  // the chance that a random off call takes longer than a random on call
  // Smallest ratio this design finds with 80 % power at a two-sided 5 %, given sd_log (noncentral t).
  std::optional<double> minimum_detectable;

  [[nodiscard]] Json ToJson() const;
};

// Beyond this the bootstrap's 10,000 replicates cost more than they tell; the field is then absent.
inline constexpr std::size_t kBootstrapPairs = 1000;

struct BootstrapSettings {
  std::uint64_t seed = 42;
  int replicates = 10'000;  // 0: no bootstrap
  double alpha = 0.05;      // two-sided level of the headline interval
};

// Mean(off)/mean(on) with the 95 % interval of Fieller as Kalibera and Jones write it ("Rigorous benchmarking
// in reasonable time", ISMM 2013); no interval where the mean of `on` is not clearly above 0. Nullopt as
// below.
std::optional<RatioInterval> RatioOfMeansOf(const std::vector<double>& off, const std::vector<double>& on);

// `off[i]` and `on[i]` are one pair. Nullopt when the lists differ in length, are empty, or hold a value that
// is not positive and finite.
std::optional<PairedRatio> PairedRatioOf(const std::vector<double>& off, const std::vector<double>& on,
                                         const BootstrapSettings& bootstrap = {});

}  // namespace helix::analysis
