#include "core/analysis/series.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/distributions.h"
#include "core/analysis/moments.h"
#include "core/analysis/quantile.h"
#include "core/base/random.h"

namespace helix::analysis {
namespace {

constexpr std::size_t kExactKendall = 100;

double SumOfSquares(const std::vector<double>& x, double mean) {
  double sum = 0;
  for (double v : x) sum += (v - mean) * (v - mean);
  return sum;
}

bool Varies(const std::vector<double>& x) {
  return AllFinite(x) && std::any_of(x.begin(), x.end(), [&](double v) { return v != x[0]; });
}

int Sign(double v) {
  return v > 0 ? 1 : (v < 0 ? -1 : 0);
}

double TieTerm(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  double sum = 0;
  for (std::size_t i = 0; i < x.size();) {
    std::size_t j = i;
    while (j < x.size() && x[j] == x[i]) ++j;
    auto t = static_cast<double>(j - i);
    sum += t * (t - 1) * (2 * t + 5);
    i = j;
  }
  return sum;
}

// P(|S| >= |s|) from the number of permutations with k inversions (Mahonian numbers), as probabilities.
double ExactKendallP(double s, std::size_t n) {
  std::size_t pairs = n * (n - 1) / 2;
  std::vector<double> mass(pairs + 1, 0);
  mass[0] = 1;
  std::size_t reach = 0;
  for (std::size_t m = 2; m <= n; ++m) {
    std::vector<double> next(pairs + 1, 0);
    double window = 0;
    reach += m - 1;
    for (std::size_t k = 0; k <= reach; ++k) {
      window += mass[k];
      if (k >= m) window -= mass[k - m];
      next[k] = window / static_cast<double>(m);
    }
    mass = std::move(next);
  }
  auto inversions = static_cast<std::size_t>((static_cast<double>(pairs) - std::fabs(s)) / 2 + 0.5);
  double tail = 0;
  for (std::size_t k = 0; k <= inversions; ++k) tail += mass[k];
  return std::min(1.0, 2 * tail);
}

double Range(const std::vector<double>& x, double mean, std::size_t* after) {
  double sum = 0;
  double low = 0;
  double high = 0;
  double furthest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i] - mean;
    low = std::min(low, sum);
    high = std::max(high, sum);
    if (after != nullptr && std::fabs(sum) > furthest) {
      furthest = std::fabs(sum);
      *after = i + 1;
    }
  }
  return high - low;
}

}  // namespace

std::optional<double> Autocorrelation(const std::vector<double>& x, std::size_t lag) {
  if (x.size() <= lag + 1 || !Varies(x)) return std::nullopt;
  double mean = Mean(x);
  double sum = 0;
  for (std::size_t i = lag; i < x.size(); ++i) sum += (x[i] - mean) * (x[i - lag] - mean);
  return sum / SumOfSquares(x, mean);
}

std::optional<LjungBox> LjungBoxOf(const std::vector<double>& x, std::size_t lags) {
  if (x.size() <= lags + 1 || !Varies(x)) return std::nullopt;
  auto n = static_cast<double>(x.size());
  LjungBox out;
  for (std::size_t k = 1; k <= lags; ++k) {
    double r = *Autocorrelation(x, k);
    out.q += n * (n + 2) * r * r / (n - static_cast<double>(k));
  }
  out.p = ChiSquaredUpperP(out.q, static_cast<double>(lags));
  return out;
}

std::optional<double> VonNeumannRatio(const std::vector<double>& x) {
  if (x.size() < 2 || !Varies(x)) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 1; i < x.size(); ++i) sum += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
  return sum / SumOfSquares(x, Mean(x));
}

std::optional<MannKendall> MannKendallOf(const std::vector<double>& x) {
  if (x.size() < 3 || !Varies(x)) return std::nullopt;
  MannKendall out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) out.s += Sign(x[j] - x[i]);
  }
  auto n = static_cast<double>(x.size());
  double ties = TieTerm(x);
  out.variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
  out.z = out.s == 0 ? 0 : (out.s - Sign(out.s)) / std::sqrt(out.variance);
  out.p_normal = 2 * NormalCdf(-std::fabs(out.z));
  out.tau = out.s / (n * (n - 1) / 2);
  out.p = ties == 0 && x.size() <= kExactKendall ? ExactKendallP(out.s, x.size()) : out.p_normal;
  return out;
}

std::optional<double> TheilSenSlope(const std::vector<double>& x) {
  if (x.size() < 2 || !AllFinite(x)) return std::nullopt;
  std::vector<double> slopes;
  slopes.reserve(x.size() * (x.size() - 1) / 2);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j)
      slopes.push_back((x[j] - x[i]) / static_cast<double>(j - i));
  }
  return Median(std::move(slopes));
}

std::optional<Runs> RunsOf(const std::vector<bool>& x) {
  auto ones = static_cast<double>(std::count(x.begin(), x.end(), true));
  double zeros = static_cast<double>(x.size()) - ones;
  if (ones == 0 || zeros == 0 || x.size() < 3) return std::nullopt;
  Runs out;
  out.runs = 1;
  for (std::size_t i = 1; i < x.size(); ++i) out.runs += x[i] != x[i - 1] ? 1 : 0;
  double n = ones + zeros;
  out.mean = 2 * ones * zeros / n + 1;
  out.variance = (out.mean - 1) * (out.mean - 2) / (n - 1);
  if (out.variance > 0) out.z = (static_cast<double>(out.runs) - out.mean) / std::sqrt(out.variance);
  return out;
}

std::optional<ChangePoint> CusumChangePoint(const std::vector<double>& x, int permutations,
                                            std::uint64_t seed) {
  if (x.size() < 3 || permutations <= 0 || !Varies(x)) return std::nullopt;
  ChangePoint out;
  double mean = Mean(x);
  out.range = Range(x, mean, &out.after);
  SplitMix64 random(seed);
  std::vector<double> shuffled(x);
  int reached = 0;
  for (int i = 0; i < permutations; ++i) {
    random.Shuffle(shuffled);
    // The same numbers added in another order differ in the last bits.
    if (Range(shuffled, mean, nullptr) >= out.range * (1 - 1e-12)) ++reached;
  }
  out.p = (reached + 1.0) / (permutations + 1.0);
  return out;
}

std::optional<Crossover> CrossoverOf(const std::vector<double>& d, const std::vector<bool>& off_first) {
  if (d.size() != off_first.size() || !AllFinite(d)) return std::nullopt;
  std::vector<double> ab;
  std::vector<double> ba;
  for (std::size_t i = 0; i < d.size(); ++i) (off_first[i] ? ab : ba).push_back(d[i]);
  if (ab.size() < 2 || ba.size() < 2) return std::nullopt;
  double degrees = static_cast<double>(d.size()) - 2;
  double pooled = (SumOfSquares(ab, Mean(ab)) + SumOfSquares(ba, Mean(ba))) / degrees;
  double error =
      std::sqrt(pooled * (1 / static_cast<double>(ab.size()) + 1 / static_cast<double>(ba.size()))) / 2;
  if (!(error > 0)) return std::nullopt;
  Crossover out;
  out.treatment = (Mean(ab) + Mean(ba)) / 2;
  out.period = (Mean(ab) - Mean(ba)) / 2;
  out.t = out.period / error;
  out.p = StudentTwoSidedP(out.t, degrees);
  double half = StudentQuantile(0.975, degrees) * error;
  out.low = out.treatment - half;
  out.high = out.treatment + half;
  return out;
}

}  // namespace helix::analysis
