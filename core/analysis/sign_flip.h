// Permutation test of paired differences by their sum: under no effect every difference is as likely with the
// other sign. Reference: Good, "Permutation, Parametric and Bootstrap Tests of Hypotheses", 3.2.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace helix::analysis {

inline constexpr std::size_t kExactSignFlips = 20;  // 2^20 patterns
inline constexpr int kRandomSignFlips = 100'000;

// Two-sided p of the sum. All patterns up to kExactSignFlips values, else random ones from the seed with
// (b+1)/(B+1). Nullopt for an empty list or values that are not finite.
std::optional<double> SignFlipP(const std::vector<double>& d, std::uint64_t seed = 42);

}  // namespace helix::analysis
