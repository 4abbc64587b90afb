#include "core/analysis/distributions.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace helix::analysis {
namespace {

namespace policies = boost::math::policies;
// Out-of-range arguments give NaN, which every caller's comparison treats as "not significant".
using Quiet = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>, policies::evaluation_error<policies::ignore_error>>;

}  // namespace

double NormalCdf(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double NormalQuantile(double p) {
  return boost::math::quantile(boost::math::normal_distribution<double, Quiet>(), p);
}

double StudentTwoSidedP(double t, double degrees) {
  boost::math::students_t_distribution<double, Quiet> student(degrees);
  return 2 * boost::math::cdf(boost::math::complement(student, std::fabs(t)));
}

double StudentQuantile(double p, double degrees) {
  return boost::math::quantile(boost::math::students_t_distribution<double, Quiet>(degrees), p);
}

double ChiSquaredUpperP(double q, double degrees) {
  boost::math::chi_squared_distribution<double, Quiet> chi(degrees);
  return boost::math::cdf(boost::math::complement(chi, q));
}

double NoncentralStudentUpper(double t, double degrees, double noncentrality) {
  boost::math::non_central_t_distribution<double, Quiet> student(degrees, noncentrality);
  return boost::math::cdf(boost::math::complement(student, t));
}

double BinomialCdf(std::size_t k, std::size_t n, double p) {
  if (k >= n) return 1;
  boost::math::binomial_distribution<double, Quiet> binomial(static_cast<double>(n), p);
  return boost::math::cdf(binomial, static_cast<double>(k));
}

}  // namespace helix::analysis
