// What a count of mismatches supports: zero of ten proves little, and the sentence says so.
#pragma once
#include <string>

namespace helix::equivalence {

// P(X <= k) for X ~ Binomial(n, p).
double BinomialCdf(int k, int n, double p);

struct RateInterval {
  double low = 0;
  double high = 1;
};

// 95 % Clopper-Pearson (exact) interval of a rate. For k = 0 one-sided: high = 1 - 0.05^(1/n). n > 0, 0 <= k
// <= n.
RateInterval MismatchInterval(int mismatches, int n);

// "0 mismatches of 10: supports a mismatch rate below 26 % (95 %)". Rounded so that the bound is never
// understated.
std::string BoundSentence(int mismatches, int n);

}  // namespace helix::equivalence
