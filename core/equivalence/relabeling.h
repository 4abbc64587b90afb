// The permutation test of the agreement: how often would labels that mean nothing show as large a difference
// between agreement within the arms and across them? Labels are exchanged within each prompt only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/equivalence/agreement.h"

namespace helix::equivalence {

// All outcomes of one prompt, uncached first, and how alike each pair is.
struct Pairwise {
  std::size_t repeats = 0;    // per arm
  std::vector<double> alike;  // (2R) x (2R)
  [[nodiscard]] double At(std::size_t i, std::size_t j) const { return alike[i * 2 * repeats + j]; }
};
Pairwise ComparePairs(const PromptRepeats& prompt, AgreementMeasure measure);

struct AgreementMeans {
  double self_a = 0;
  double self_b = 0;
  double cross = 0;
  // Both arms have as many pairs, so the mean over all within-arm pairs is the mean of the two.
  [[nodiscard]] double WithinMinusAcross() const { return (self_a + self_b) / 2 - cross; }
};
// Under the labels as they were observed.
AgreementMeans ObservedMeans(const Pairwise& pairs);

struct RelabelingResult {
  double p_value = 1;
  std::uint64_t relabelings = 0;
  bool exact = false;  // every relabeling was counted, up to 20,000; else 10,000 drawn with `seed`
};
// `observed_sum`: WithinMinusAcross of the observed labels, summed over the prompts.
RelabelingResult TestRelabelings(const std::vector<Pairwise>& prompts, double observed_sum,
                                 std::uint64_t seed);

}  // namespace helix::equivalence
