// How far apart two arms' log-probabilities are where both saw the same context.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "core/equivalence/arm_output.h"

namespace helix::equivalence {

// max |lp_a - lp_b| in nat over the top tokens of one position. A token that only one list holds counts with
// the difference its absence proves: it is at most as probable as the last token of the other list. nullopt
// when one side has no finite entry. Not renormalised over the top k.
std::optional<double> DeltaAt(const backend::TokenLogprobs& a, const backend::TokenLogprobs& b);

// lp(best) - lp(second) in nat; nullopt with fewer than two entries.
std::optional<double> TopTwoGap(const backend::TokenLogprobs& position);

struct DistanceSummary {
  std::size_t positions = 0;
  double max = 0;
  double p99 = 0;  // nearest rank
  double median = 0;
};

// Collects distances of many positions. Not thread-safe.
class DistanceSample {
 public:
  void Add(double delta) { values_.push_back(delta); }
  void Add(const std::vector<double>& deltas) { values_.insert(values_.end(), deltas.begin(), deltas.end()); }
  // nullopt when nothing was collected.
  [[nodiscard]] std::optional<DistanceSummary> Summary() const;

 private:
  std::vector<double> values_;
};

// The distances at positions [0, end) of two arms; positions without log-probabilities on both sides are left
// out.
std::vector<double> DeltasBefore(const ArmOutput& a, const ArmOutput& b, std::size_t end);

// The first index at which the tokens differ, or at which one arm has ended; nullopt when they are the same.
std::optional<std::size_t> FirstMismatch(const std::vector<TokenId>& a, const std::vector<TokenId>& b);

// Every position at which both arms computed from the same context: those before the first mismatch and the
// one at it. This is the noise between two fresh arms, or what the cache did to a cached one.
std::vector<double> ComparableDeltas(const ArmOutput& a, const ArmOutput& b);

}  // namespace helix::equivalence
