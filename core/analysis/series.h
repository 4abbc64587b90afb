// Tests on an ordered list of residuals: trend, autocorrelation, change of level, order of the two calls of a
// pair. Every function returns nullopt for lists too short, not finite, or without any variation.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace helix::analysis {

// Autocorrelation at `lag` (biased estimator, as R's acf).
std::optional<double> Autocorrelation(const std::vector<double>& x, std::size_t lag);

struct LjungBox {
  double q = 0;
  double p = 1;
};
std::optional<LjungBox> LjungBoxOf(const std::vector<double>& x, std::size_t lags = 3);

// Sum of squared successive differences over the sum of squares about the mean.
std::optional<double> VonNeumannRatio(const std::vector<double>& x);

struct MannKendall {
  double s = 0;
  double variance = 0;
  double z = 0;
  double p_normal = 1;
  double tau = 0;
  double p = 1;  // exact for up to 100 values without ties, else p_normal
};
std::optional<MannKendall> MannKendallOf(const std::vector<double>& x);

// Median slope of all pairs of points at 0, 1, 2, ...
std::optional<double> TheilSenSlope(const std::vector<double>& x);

// Wald-Wolfowitz runs of a two-valued sequence.
struct Runs {
  std::size_t runs = 0;
  double mean = 0;
  double variance = 0;
  double z = 0;
};
std::optional<Runs> RunsOf(const std::vector<bool>& x);

struct ChangePoint {
  double range = 0;       // max - min of the cumulative sum of deviations from the mean
  std::size_t after = 0;  // the change is after this many values
  double p = 1;           // (b+1)/(B+1) over random permutations
};
std::optional<ChangePoint> CusumChangePoint(const std::vector<double>& x, int permutations,
                                            std::uint64_t seed);

// Two-period crossover: d_i = ln(off/on); off_first[i] tells the order of that pair.
struct Crossover {
  double treatment = 0;  // log ratio, free of the order effect
  double period = 0;     // (mean d|off first - mean d|on first) / 2
  double t = 0;          // of the period effect
  double p = 1;
  double low = 0;  // 95 % interval of the treatment, log
  double high = 0;
};
std::optional<Crossover> CrossoverOf(const std::vector<double>& d, const std::vector<bool>& off_first);

}  // namespace helix::analysis
