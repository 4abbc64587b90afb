#include "core/equivalence/logprob_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace helix::equivalence {
namespace {

using backend::TokenLogprobs;
using backend::TopToken;

const TopToken* FindId(const TokenLogprobs& position, TokenId id) {
  for (const TopToken& top : position.top) {
    if (top.id == id) return &top;
  }
  return nullptr;
}

// What list `b` proves about the tokens of list `a`.
void OneSided(const TokenLogprobs& a, const TokenLogprobs& b, std::optional<double>& worst) {
  double last = std::numeric_limits<double>::infinity();
  for (const TopToken& top : b.top) {
    if (std::isfinite(top.logprob)) last = std::min(last, top.logprob);
  }
  for (const TopToken& top : a.top) {
    if (!std::isfinite(top.logprob)) continue;
    const TopToken* other = FindId(b, top.id);
    double delta = 0;
    if (other != nullptr && std::isfinite(other->logprob)) {
      delta = std::abs(top.logprob - other->logprob);
    } else if (std::isfinite(last)) {
      delta = std::max(0.0, top.logprob - last);
    } else {
      continue;
    }
    worst = std::max(worst.value_or(0.0), delta);
  }
}

double NearestRank(const std::vector<double>& sorted, double quantile) {
  const auto rank = static_cast<std::size_t>(std::ceil(quantile * static_cast<double>(sorted.size())));
  return sorted[std::min(sorted.size(), std::max<std::size_t>(rank, 1)) - 1];
}

}  // namespace

std::optional<double> DeltaAt(const TokenLogprobs& a, const TokenLogprobs& b) {
  std::optional<double> worst;
  OneSided(a, b, worst);
  OneSided(b, a, worst);
  return worst;
}

std::optional<double> TopTwoGap(const TokenLogprobs& position) {
  if (position.top.size() < 2) return std::nullopt;
  return position.top[0].logprob - position.top[1].logprob;
}

std::optional<DistanceSummary> DistanceSample::Summary() const {
  if (values_.empty()) return std::nullopt;
  std::vector<double> sorted = values_;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  return DistanceSummary{n, sorted.back(), NearestRank(sorted, 0.99),
                         (sorted[(n - 1) / 2] + sorted[n / 2]) / 2};
}

std::vector<double> DeltasBefore(const ArmOutput& a, const ArmOutput& b, std::size_t end) {
  std::vector<double> deltas;
  const std::size_t n = std::min({end, a.logprobs.size(), b.logprobs.size()});
  for (std::size_t i = 0; i < n; ++i) {
    if (const auto delta = DeltaAt(a.logprobs[i], b.logprobs[i])) deltas.push_back(*delta);
  }
  return deltas;
}

std::optional<std::size_t> FirstMismatch(const std::vector<TokenId>& a, const std::vector<TokenId>& b) {
  const std::size_t n = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) return i;
  }
  if (a.size() != b.size()) return n;
  return std::nullopt;
}

std::vector<double> ComparableDeltas(const ArmOutput& a, const ArmOutput& b) {
  const auto mismatch = FirstMismatch(a.tokens, b.tokens);
  return DeltasBefore(a, b, mismatch ? *mismatch + 1 : a.tokens.size());
}

}  // namespace helix::equivalence
