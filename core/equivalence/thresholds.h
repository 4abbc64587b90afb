// The numbers that separate numeric noise from a wrong cache. D_GF is the largest log-probability distance
// between fresh answers computed in different batch shapes (the control); all are in nat.
#pragma once
#include <algorithm>
#include <optional>

namespace helix::equivalence {

// Log-probabilities are printed with limited precision: below this two values cannot be told apart.
inline constexpr double kPrintFloor = 1e-4;
// The cached arm's distance may be this many times the control's before the divergence, and at it.
inline constexpr double kNoiseFactor = 4;
// A flip needs a gap of at most delta(top1) + delta(top2), hence twice the noise.
inline constexpr double kGapFactor = 2;
// Beyond this many times the noise at the divergence there is no doubt left.
inline constexpr double kDefectFactor = 10;
// Where no control arm gave the noise: vLLM measured flips at 0.125 nat, llama.cpp at 0.131.
inline constexpr double kNearTieWithoutControl = 0.15;

// Numerics of engines in use move log-probabilities by 2.6e-2 nat (vLLM) to 0.1 (bf16). Fresh answers further
// apart than this are no measure of numerics, and four times it would hide most wrong caches.
inline constexpr double kMostNumerics = 0.15;

// D_GF with its floor.
inline double Floored(double d_gf) {
  return std::max(d_gf, kPrintFloor);
}
// What the cached arm may differ by where the contexts are the same.
inline double Tolerance(double d_gf) {
  return std::max(kNoiseFactor * d_gf, kPrintFloor);
}

}  // namespace helix::equivalence
