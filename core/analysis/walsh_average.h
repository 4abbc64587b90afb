// Order statistics of the averages of all pairs, without the pairs: n^2 values from n.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace helix::analysis {

// The k-th smallest (from 1) of the n(n+1)/2 averages (d_i + d_j)/2, i <= j, of sorted, finite `d`; exact,
// also with ties. Selection in a matrix with sorted rows: each round draws averages that are still possible,
// takes two that most likely enclose the k-th, and counts by two pointers what lies below them. O(n) memory,
// expected O(n log n) time. Reference: Monahan, "Algorithm 616: fast computation of the Hodges-Lehmann
// location estimator", ACM TOMS 10 (1984).
double WalshAverage(const std::vector<double>& sorted, std::uint64_t k);
// The k-th and the (k+1)-th; twice the k-th when it is the last. One selection serves both.
std::pair<double, double> WalshNeighbours(const std::vector<double>& sorted, std::uint64_t k);

}  // namespace helix::analysis
