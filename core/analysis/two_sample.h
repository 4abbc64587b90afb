// Two independent samples: for when the pairing broke. Supporting evidence, never the headline. Every
// function returns nullopt for an empty list or values that are not finite. References: Hollander, Wolfe,
// Chicken, "Nonparametric Statistical Methods", 4.1-4.3 and 5.4; R's wilcox.test.
#pragma once
#include <optional>
#include <vector>

namespace helix::analysis {

struct MannWhitney {
  double u = 0;  // pairs with x above y, ties counted one half
  double p = 1;  // two-sided; exact without ties up to 50 values each, else normal with tie correction
  double p_greater = 1;        // one-sided: x tends to be larger
  double common_language = 0;  // U / (n m): the chance that a random x exceeds a random y
};
// `continuity` is the normal approximation's correction of one half.
std::optional<MannWhitney> MannWhitneyOf(const std::vector<double>& x, const std::vector<double>& y,
                                         bool continuity = true);

struct Shift {
  double estimate = 0;  // median of all differences x_i - y_j
  bool has_interval = false;
  double low = 0;
  double high = 0;
};
// Hodges and Lehmann's shift with the interval that inverts the Mann-Whitney test. Up to 1,000 values each:
// it lists the differences.
std::optional<Shift> HodgesLehmannShift(const std::vector<double>& x, const std::vector<double>& y,
                                        double alpha = 0.05);

struct KolmogorovSmirnov {
  double d = 0;  // largest amount by which the distribution function of y exceeds that of x
  double p = 1;  // of x being no larger than y; exact without ties up to 200 values each, else asymptotic
};
std::optional<KolmogorovSmirnov> KolmogorovSmirnovGreater(std::vector<double> x, std::vector<double> y);

}  // namespace helix::analysis
