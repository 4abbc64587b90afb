// The few distribution functions that the tests need. Boost.Math is header-only and in Debian; these wrap it
// so that no exception of its domain checks leaves this room.
#pragma once
#include <cstddef>

namespace helix::analysis {

double NormalCdf(double z);
double NormalQuantile(double p);                    // 0 < p < 1
double StudentTwoSidedP(double t, double degrees);  // degrees >= 1
double StudentQuantile(double p, double degrees);   // 0 < p < 1
double ChiSquaredUpperP(double q, double degrees);
// Upper tail of the noncentral t distribution.
double NoncentralStudentUpper(double t, double degrees, double noncentrality);
// P(X <= k) for X binomial(n, p), 0 < p < 1.
double BinomialCdf(std::size_t k, std::size_t n, double p);

}  // namespace helix::analysis
