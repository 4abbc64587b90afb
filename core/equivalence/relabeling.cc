#include "core/equivalence/relabeling.h"

#include <algorithm>

#include "core/base/random.h"

namespace helix::equivalence {
namespace {

constexpr std::uint64_t kMostExact = 20'000;
constexpr std::uint64_t kDrawn = 10'000;
constexpr double kTie = 1e-12;  // relabelings whose statistic equals the observed one count

// `in_a` says which of the 2R outcomes belong to the first arm.
AgreementMeans MeansOf(const Pairwise& pairs, const std::vector<bool>& in_a) {
  AgreementMeans out;
  const std::size_t n = in_a.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      (in_a[i] != in_a[j] ? out.cross : in_a[i] ? out.self_a : out.self_b) += pairs.At(i, j);
    }
  }
  const auto r = static_cast<double>(pairs.repeats);
  out.self_a /= r * (r - 1) / 2;
  out.self_b /= r * (r - 1) / 2;
  out.cross /= r * r;
  return out;
}

std::vector<bool> ObservedLabels(std::size_t repeats) {
  std::vector<bool> labels(2 * repeats, false);
  std::fill(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(repeats), true);
  return labels;
}

// The statistic of one prompt under every relabeling.
std::vector<double> AllRelabelings(const Pairwise& pairs) {
  std::vector<bool> labels = ObservedLabels(pairs.repeats);
  std::vector<double> out;
  do {
    out.push_back(MeansOf(pairs, labels).WithinMinusAcross());
  } while (std::prev_permutation(labels.begin(), labels.end()));
  return out;
}

// C(2R, R).
std::uint64_t Relabelings(std::size_t repeats) {
  std::uint64_t count = 1;
  for (std::size_t i = 1; i <= repeats; ++i) count = count * (repeats + i) / i;
  return count;
}

bool ExactIsFeasible(std::size_t prompts, std::size_t repeats) {
  std::uint64_t total = 1;
  for (std::size_t i = 0; i < prompts; ++i) {
    total *= Relabelings(repeats);
    if (total > kMostExact) return false;
  }
  return true;
}

void ExactP(const std::vector<Pairwise>& prompts, double observed_sum, RelabelingResult& out) {
  std::vector<double> sums = {0};
  for (const Pairwise& pairs : prompts) {
    const std::vector<double> own = AllRelabelings(pairs);
    std::vector<double> next;
    next.reserve(sums.size() * own.size());
    for (const double sum : sums) {
      for (const double value : own) next.push_back(sum + value);
    }
    sums = std::move(next);
  }
  const auto extreme =
      std::count_if(sums.begin(), sums.end(), [&](double sum) { return sum >= observed_sum - kTie; });
  out.exact = true;
  out.relabelings = sums.size();
  out.p_value = static_cast<double>(extreme) / static_cast<double>(sums.size());
}

void DrawnP(const std::vector<Pairwise>& prompts, double observed_sum, std::uint64_t seed,
            RelabelingResult& out) {
  std::vector<std::vector<double>> tables;
  for (const Pairwise& pairs : prompts) tables.push_back(AllRelabelings(pairs));
  SplitMix64 random(seed);
  std::uint64_t extreme = 0;
  for (std::uint64_t i = 0; i < kDrawn; ++i) {
    double sum = 0;
    for (const std::vector<double>& table : tables) sum += table[random.Below(table.size())];
    extreme += sum >= observed_sum - kTie ? 1 : 0;
  }
  out.relabelings = kDrawn;
  out.p_value = static_cast<double>(extreme + 1) / static_cast<double>(kDrawn + 1);
}

}  // namespace

Pairwise ComparePairs(const PromptRepeats& prompt, AgreementMeasure measure) {
  Pairwise out;
  out.repeats = prompt.uncached.size();
  std::vector<const Outcome*> all;
  for (const Outcome& outcome : prompt.uncached) all.push_back(&outcome);
  for (const Outcome& outcome : prompt.cached) all.push_back(&outcome);
  for (const Outcome* a : all) {
    for (const Outcome* b : all) out.alike.push_back(Agreement(*a, *b, measure));
  }
  return out;
}

AgreementMeans ObservedMeans(const Pairwise& pairs) {
  return MeansOf(pairs, ObservedLabels(pairs.repeats));
}

RelabelingResult TestRelabelings(const std::vector<Pairwise>& prompts, double observed_sum,
                                 std::uint64_t seed) {
  RelabelingResult out;
  if (prompts.empty()) return out;
  if (ExactIsFeasible(prompts.size(), prompts.front().repeats)) {
    ExactP(prompts, observed_sum, out);
  } else {
    DrawnP(prompts, observed_sum, seed, out);
  }
  return out;
}

}  // namespace helix::equivalence
