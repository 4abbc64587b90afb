// Percentile bootstrap with the project's own generator, so that a seed in the report reproduces the
// interval. Replicate r draws n pair indices and uses them for both arms; percentiles are type 7 of the
// replicates. Reference: Efron, Tibshirani, "An Introduction to the Bootstrap", 13.3 (percentile), 14.3
// (BCa).
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace helix::analysis {

using Bounds = std::pair<double, double>;

// 95 % bounds of median(off)/median(on). Nullopt for unequal or empty lists, values that are not positive and
// finite, or no replicates.
std::optional<Bounds> BootstrapRatioOfMedians(const std::vector<double>& off, const std::vector<double>& on,
                                              std::uint64_t seed, int replicates);
// 95 % bounds of the geometric mean of off[i]/on[i].
std::optional<Bounds> BootstrapGeometricMean(const std::vector<double>& off, const std::vector<double>& on,
                                             std::uint64_t seed, int replicates);
// The same by BCa. Only for the geometric mean: the jackknife of a median takes too few values to mean
// anything.
std::optional<Bounds> BcaGeometricMean(const std::vector<double>& off, const std::vector<double>& on,
                                       std::uint64_t seed, int replicates);

// Every one of the n^n resamples, for tests and tiny samples; n <= 6. The value of each resample of the
// statistic, sorted.
enum class BootstrapStatistic { kRatioOfMedians, kGeometricMean };
std::optional<std::vector<double>> ExactPairedBootstrap(const std::vector<double>& off,
                                                        const std::vector<double>& on,
                                                        BootstrapStatistic statistic);

struct BcaLevels {
  double z0 = 0;
  double acceleration = 0;
  double low = 0;  // adjusted probability levels
  double high = 0;
};
// From sorted replicates of the geometric mean.
std::optional<BcaLevels> BcaLevelsOf(const std::vector<double>& sorted, const std::vector<double>& off,
                                     const std::vector<double>& on);

}  // namespace helix::analysis
