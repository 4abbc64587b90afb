#include "core/analysis/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/analysis/distributions.h"
#include "core/analysis/walsh_average.h"

namespace helix::analysis {
namespace {

bool Finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

struct Ranked {
  double positive = 0;
  double tie_term = 0;  // sum of t^3 - t
  bool ties = false;
};

// By magnitude: a merge of the negative values from behind with the positive ones, when `d` is sorted
// already.
void SortByMagnitude(std::vector<double>& d) {
  auto smaller = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
  if (!std::is_sorted(d.begin(), d.end())) return std::sort(d.begin(), d.end(), smaller);
  auto positive = std::lower_bound(d.begin(), d.end(), 0.0);
  std::vector<double> merged(d.size());
  std::merge(std::make_reverse_iterator(positive), d.rend(), positive, d.end(), merged.begin(), smaller);
  d = std::move(merged);
}

Ranked RankByMagnitude(std::vector<double> d) {
  SortByMagnitude(d);
  Ranked out;
  for (std::size_t i = 0; i < d.size();) {
    std::size_t j = i;
    // Differences of two decimal numbers that are equal on paper differ in the last bits.
    while (j < d.size() && std::fabs(d[j]) - std::fabs(d[i]) <= 1e-12 * std::fabs(d[i])) ++j;
    double rank = static_cast<double>(i + j + 1) / 2;
    auto t = static_cast<double>(j - i);
    if (j - i > 1) out.ties = true;
    out.tie_term += t * t * t - t;
    for (std::size_t k = i; k < j; ++k) out.positive += d[k] > 0 ? rank : 0;
    i = j;
  }
  return out;
}

double ExactTwoSided(double v, std::size_t n) {
  auto counts = SignedRankCounts(n);
  double total = std::ldexp(1.0, static_cast<int>(n));
  auto low = static_cast<std::size_t>(std::min(v, static_cast<double>(counts.size() - 1) - v));
  double sum = 0;
  for (std::size_t i = 0; i <= low; ++i) sum += counts[i];
  return std::min(1.0, 2 * sum / total);
}

}  // namespace

std::vector<double> SignedRankCounts(std::size_t n) {
  std::size_t top = n * (n + 1) / 2;
  std::vector<double> counts(top + 1, 0);
  counts[0] = 1;
  std::size_t reach = 0;
  for (std::size_t r = 1; r <= n; ++r) {
    reach += r;
    for (std::size_t t = reach; t >= r; --t) counts[t] += counts[t - r];
  }
  return counts;
}

std::uint64_t SignedRankQuantile(double alpha, std::size_t n) {
  if (n > kExactSignedRankPairs) {
    auto m = static_cast<double>(n);
    double mean = m * (m + 1) / 4;
    double sd = std::sqrt(m * (m + 1) * (2 * m + 1) / 24);
    return static_cast<std::uint64_t>(std::max(0.0, std::ceil(mean + NormalQuantile(alpha) * sd - 0.5)));
  }
  auto counts = SignedRankCounts(n);
  double total = std::ldexp(1.0, static_cast<int>(n));
  double sum = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    sum += counts[k];
    if (sum / total >= alpha) return k;
  }
  return counts.size() - 1;
}

std::optional<HodgesLehmann> HodgesLehmannOf(std::vector<double> d, double alpha) {
  if (d.empty() || !Finite(d)) return std::nullopt;
  if (!std::is_sorted(d.begin(), d.end())) std::sort(d.begin(), d.end());
  std::uint64_t m = static_cast<std::uint64_t>(d.size()) * (d.size() + 1) / 2;
  HodgesLehmann out;
  auto [lower, upper] = WalshNeighbours(d, (m + 1) / 2);
  out.estimate = m % 2 == 0 ? (lower + upper) / 2 : lower;
  std::uint64_t k = SignedRankQuantile(alpha / 2, d.size());
  if (k == 0) return out;
  out.has_interval = true;
  out.low = WalshAverage(d, k);
  out.high = WalshAverage(d, m + 1 - k);
  return out;
}

std::optional<SignedRankTest> WilcoxonSignedRank(const std::vector<double>& d) {
  if (!Finite(d)) return std::nullopt;
  std::vector<double> kept;
  std::copy_if(d.begin(), d.end(), std::back_inserter(kept), [](double v) { return v != 0; });
  if (kept.empty()) return std::nullopt;
  bool zeros = kept.size() != d.size();
  Ranked ranked = RankByMagnitude(kept);
  SignedRankTest out;
  out.v = ranked.positive;
  std::size_t n = kept.size();
  if (!ranked.ties && !zeros && n <= kExactSignedRankPairs) {
    out.p = ExactTwoSided(out.v, n);
    return out;
  }
  auto m = static_cast<double>(n);
  double variance = m * (m + 1) * (2 * m + 1) / 24 - ranked.tie_term / 48;
  double distance = std::fabs(out.v - m * (m + 1) / 4) - 0.5;
  out.p = variance <= 0 ? 1 : std::min(1.0, 2 * NormalCdf(-std::max(0.0, distance) / std::sqrt(variance)));
  return out;
}

}  // namespace helix::analysis
