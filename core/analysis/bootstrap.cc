#include "core/analysis/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/distributions.h"
#include "core/analysis/moments.h"
#include "core/analysis/quantile.h"
#include "core/base/random.h"

namespace helix::analysis {
namespace {

bool UsablePairs(const std::vector<double>& off, const std::vector<double>& on) {
  auto positive = [](double v) { return std::isfinite(v) && v > 0; };
  return !off.empty() && off.size() == on.size() && std::all_of(off.begin(), off.end(), positive) &&
         std::all_of(on.begin(), on.end(), positive);
}

double MedianInPlace(std::vector<double>& v) {
  std::size_t n = v.size();
  auto middle = v.begin() + static_cast<std::ptrdiff_t>(n / 2);
  std::nth_element(v.begin(), middle, v.end());
  if (n % 2 == 1) return *middle;
  return (*std::max_element(v.begin(), middle) + *middle) / 2;
}

template <typename Statistic>
std::vector<double> Replicates(std::size_t n, std::uint64_t seed, int count, Statistic&& statistic) {
  SplitMix64 random(seed);
  std::vector<std::size_t> index(n);
  std::vector<double> out(static_cast<std::size_t>(count));
  for (double& value : out) {
    for (auto& i : index) i = random.Below(n);
    value = statistic(index);
  }
  std::sort(out.begin(), out.end());
  return out;
}

struct RatioOfMedians {
  const std::vector<double>& off;
  const std::vector<double>& on;
  std::vector<double> a, b;
  double operator()(const std::vector<std::size_t>& index) {
    a.clear();
    b.clear();
    for (std::size_t i : index) {
      a.push_back(off[i]);
      b.push_back(on[i]);
    }
    return MedianInPlace(a) / MedianInPlace(b);
  }
};

struct MeanLog {
  std::vector<double> logs;
  MeanLog(const std::vector<double>& off, const std::vector<double>& on) {
    for (std::size_t i = 0; i < off.size(); ++i) logs.push_back(std::log(off[i] / on[i]));
  }
  double operator()(const std::vector<std::size_t>& index) const {
    double sum = 0;
    for (std::size_t i : index) sum += logs[i];
    return std::exp(sum / static_cast<double>(index.size()));
  }
};

Bounds Percentiles(const std::vector<double>& sorted, double low, double high) {
  return {*QuantileType7(sorted, low), *QuantileType7(sorted, high)};
}

bool NextIndex(std::vector<std::size_t>& index) {
  for (auto& i : index) {
    if (++i < index.size()) return true;
    i = 0;
  }
  return false;
}

template <typename Statistic>
std::vector<double> AllResamples(std::size_t n, Statistic&& statistic) {
  std::vector<std::size_t> index(n, 0);
  std::vector<double> out;
  do out.push_back(statistic(index));
  while (NextIndex(index));
  std::sort(out.begin(), out.end());
  return out;
}

double Acceleration(const std::vector<double>& logs) {
  auto n = static_cast<double>(logs.size());
  double total = Mean(logs) * n;
  std::vector<double> jack;
  for (double d : logs) jack.push_back(std::exp((total - d) / (n - 1)));
  double mean = Mean(jack);
  double cubes = 0;
  double squares = 0;
  for (double j : jack) {
    cubes += std::pow(mean - j, 3);
    squares += std::pow(mean - j, 2);
  }
  return squares == 0 ? 0 : cubes / (6 * std::pow(squares, 1.5));
}

}  // namespace

std::optional<Bounds> BootstrapRatioOfMedians(const std::vector<double>& off, const std::vector<double>& on,
                                              std::uint64_t seed, int replicates) {
  if (!UsablePairs(off, on) || replicates <= 0) return std::nullopt;
  return Percentiles(Replicates(off.size(), seed, replicates, RatioOfMedians{off, on, {}, {}}), 0.025, 0.975);
}

std::optional<Bounds> BootstrapGeometricMean(const std::vector<double>& off, const std::vector<double>& on,
                                             std::uint64_t seed, int replicates) {
  if (!UsablePairs(off, on) || replicates <= 0) return std::nullopt;
  return Percentiles(Replicates(off.size(), seed, replicates, MeanLog(off, on)), 0.025, 0.975);
}

std::optional<Bounds> BcaGeometricMean(const std::vector<double>& off, const std::vector<double>& on,
                                       std::uint64_t seed, int replicates) {
  if (!UsablePairs(off, on) || replicates <= 0) return std::nullopt;
  auto sorted = Replicates(off.size(), seed, replicates, MeanLog(off, on));
  auto levels = BcaLevelsOf(sorted, off, on);
  if (!levels) return std::nullopt;
  return Percentiles(sorted, levels->low, levels->high);
}

std::optional<std::vector<double>> ExactPairedBootstrap(const std::vector<double>& off,
                                                        const std::vector<double>& on,
                                                        BootstrapStatistic statistic) {
  if (!UsablePairs(off, on) || off.size() > 6) return std::nullopt;
  if (statistic == BootstrapStatistic::kGeometricMean) return AllResamples(off.size(), MeanLog(off, on));
  return AllResamples(off.size(), RatioOfMedians{off, on, {}, {}});
}

std::optional<BcaLevels> BcaLevelsOf(const std::vector<double>& sorted, const std::vector<double>& off,
                                     const std::vector<double>& on) {
  if (!UsablePairs(off, on) || off.size() < 2 || sorted.empty()) return std::nullopt;
  MeanLog statistic(off, on);
  double theta = std::exp(Mean(statistic.logs));
  // Resamples that equal the estimate on paper differ from it in the last bits.
  double slack = 1e-12 * theta;
  double below = 0;
  for (double v : sorted) below += v < theta - slack ? 1 : (v <= theta + slack ? 0.5 : 0);
  double p0 = below / static_cast<double>(sorted.size());
  if (p0 <= 0 || p0 >= 1) return std::nullopt;
  BcaLevels out;
  out.z0 = NormalQuantile(p0);
  out.acceleration = Acceleration(statistic.logs);
  auto level = [&](double z) {
    return NormalCdf(out.z0 + (out.z0 + z) / (1 - out.acceleration * (out.z0 + z)));
  };
  out.low = level(NormalQuantile(0.025));
  out.high = level(NormalQuantile(0.975));
  return out;
}

}  // namespace helix::analysis
