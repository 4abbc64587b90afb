#include "core/analysis/two_sample.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/distributions.h"
#include "core/analysis/moments.h"
#include "core/analysis/quantile.h"

namespace helix::analysis {
namespace {

constexpr std::size_t kExactMannWhitney = 50;
constexpr std::size_t kExactSmirnov = 200;
constexpr std::size_t kListedShift = 1000;

// P(U = u) for u = 0 .. m n. N(u; a, b) = N(u - b; a - 1, b) + N(u; a, b - 1): the largest of all values
// belongs to one sample or the other.
std::vector<double> MannWhitneyMass(std::size_t m, std::size_t n) {
  std::vector<std::vector<double>> row(n + 1, std::vector<double>{1});
  for (std::size_t a = 1; a <= m; ++a) {
    std::vector<std::vector<double>> next(n + 1);
    next[0] = {1};
    for (std::size_t b = 1; b <= n; ++b) {
      next[b].assign(a * b + 1, 0);
      for (std::size_t u = 0; u < row[b].size(); ++u) next[b][u + b] += row[b][u];
      for (std::size_t u = 0; u < next[b - 1].size(); ++u) next[b][u] += next[b - 1][u];
    }
    row = std::move(next);
  }
  double total = 0;
  for (double count : row[n]) total += count;
  for (double& count : row[n]) count /= total;
  return row[n];
}

struct Ranks {
  double x_sum = 0;
  double tie_term = 0;  // sum of t^3 - t
};

Ranks RankTogether(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<std::pair<double, bool>> all;
  for (double v : x) all.emplace_back(v, true);
  for (double v : y) all.emplace_back(v, false);
  std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.first < b.first; });
  Ranks out;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t j = i;
    while (j < all.size() && all[j].first == all[i].first) ++j;
    auto t = static_cast<double>(j - i);
    out.tie_term += t * t * t - t;
    for (std::size_t k = i; k < j; ++k) out.x_sum += all[k].second ? static_cast<double>(i + j + 1) / 2 : 0;
    i = j;
  }
  return out;
}

void ExactP(MannWhitney& out, std::size_t m, std::size_t n) {
  auto mass = MannWhitneyMass(m, n);
  double below = 0;
  double above = 0;
  for (std::size_t u = 0; u < mass.size(); ++u) {
    if (static_cast<double>(u) <= out.u) below += mass[u];
    if (static_cast<double>(u) >= out.u) above += mass[u];
  }
  out.p_greater = above;
  out.p = std::min(1.0, 2 * std::min(below, above));
}

void NormalP(MannWhitney& out, double m, double n, double tie_term, bool continuity) {
  double total = m + n;
  double variance = m * n / 12 * (total + 1 - tie_term / (total * (total - 1)));
  if (!(variance > 0)) return;
  double distance = out.u - m * n / 2;
  double correction = continuity ? 0.5 : 0;
  double sd = std::sqrt(variance);
  out.p_greater = NormalCdf(-(distance - correction) / sd);
  out.p = std::min(1.0, 2 * NormalCdf(-std::max(0.0, std::fabs(distance) - correction) / sd));
}

// R's qwilcox: the smallest u with P(U <= u) >= alpha.
std::size_t MannWhitneyQuantile(double alpha, std::size_t m, std::size_t n) {
  if (m >= kExactMannWhitney || n >= kExactMannWhitney) {
    auto a = static_cast<double>(m);
    auto b = static_cast<double>(n);
    double u = a * b / 2 + NormalQuantile(alpha) * std::sqrt(a * b * (a + b + 1) / 12) - 0.5;
    return static_cast<std::size_t>(std::max(0.0, std::ceil(u)));
  }
  auto mass = MannWhitneyMass(m, n);
  double sum = 0;
  for (std::size_t u = 0; u < mass.size(); ++u) {
    sum += mass[u];
    if (sum >= alpha) return u;
  }
  return mass.size() - 1;
}

// The share of the orders of m x and n y in which F_y - F_x reaches d: one less those that stay below it.
double ExactSmirnovP(double d, std::size_t m, std::size_t n) {
  std::vector<double> reach(n + 1, 0);  // P of a path to (i, j) that stayed below d, over all paths to it
  for (std::size_t i = 0; i <= m; ++i) {
    for (std::size_t j = 0; j <= n; ++j) {
      double gap =
          static_cast<double>(j) / static_cast<double>(n) - static_cast<double>(i) / static_cast<double>(m);
      if (gap >= d - 1e-12) {
        reach[j] = 0;
      } else if (i == 0 && j == 0) {
        reach[j] = 1;
      } else {
        auto steps = static_cast<double>(i + j);
        double from_x = i > 0 ? reach[j] * static_cast<double>(i) / steps : 0;
        double from_y = j > 0 ? reach[j - 1] * static_cast<double>(j) / steps : 0;
        reach[j] = from_x + from_y;
      }
    }
  }
  return 1 - reach[n];
}

}  // namespace

std::optional<MannWhitney> MannWhitneyOf(const std::vector<double>& x, const std::vector<double>& y,
                                         bool continuity) {
  if (!AllFinite(x) || !AllFinite(y)) return std::nullopt;
  auto m = static_cast<double>(x.size());
  auto n = static_cast<double>(y.size());
  Ranks ranks = RankTogether(x, y);
  MannWhitney out;
  out.u = ranks.x_sum - m * (m + 1) / 2;
  out.common_language = out.u / (m * n);
  if (ranks.tie_term == 0 && x.size() <= kExactMannWhitney && y.size() <= kExactMannWhitney) {
    ExactP(out, x.size(), y.size());
  } else {
    NormalP(out, m, n, ranks.tie_term, continuity);
  }
  return out;
}

std::optional<Shift> HodgesLehmannShift(const std::vector<double>& x, const std::vector<double>& y,
                                        double alpha) {
  if (!AllFinite(x) || !AllFinite(y) || x.size() > kListedShift || y.size() > kListedShift)
    return std::nullopt;
  std::vector<double> differences;
  for (double a : x) {
    for (double b : y) differences.push_back(a - b);
  }
  std::sort(differences.begin(), differences.end());
  Shift out;
  out.estimate = *Median(differences);
  std::size_t k = MannWhitneyQuantile(alpha / 2, x.size(), y.size());
  if (k == 0) return out;
  out.has_interval = true;
  out.low = differences[k - 1];
  out.high = differences[differences.size() - k];
  return out;
}

std::optional<KolmogorovSmirnov> KolmogorovSmirnovGreater(std::vector<double> x, std::vector<double> y) {
  if (!AllFinite(x) || !AllFinite(y)) return std::nullopt;
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  auto m = static_cast<double>(x.size());
  auto n = static_cast<double>(y.size());
  KolmogorovSmirnov out;
  bool ties = false;
  std::size_t i = 0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    while (i < x.size() && x[i] <= y[j]) ties |= x[i++] == y[j];
    ties |= j > 0 && y[j] == y[j - 1];
    out.d = std::max(out.d, static_cast<double>(j + 1) / n - static_cast<double>(i) / m);
  }
  for (std::size_t k = 1; k < x.size(); ++k) ties |= x[k] == x[k - 1];
  bool exact = !ties && x.size() <= kExactSmirnov && y.size() <= kExactSmirnov;
  out.p = exact ? ExactSmirnovP(out.d, x.size(), y.size()) : std::exp(-2 * out.d * out.d * m * n / (m + n));
  return out;
}

}  // namespace helix::analysis
