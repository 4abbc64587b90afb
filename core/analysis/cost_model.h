// What a prefill costs by its length and by how much of it is new: ms = a + b u + gamma w(u, n), where n is
// the prompt, u its uncached tokens and w the query-key pairs of attention. The fit describes measured
// points; it never replaces one.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::analysis {

struct CostPoint {
  double prompt = 0;    // n, tokens
  double uncached = 0;  // u, tokens
  double ms = 0;
};

struct CostModel {
  double a = 0;      // ms per request
  double b = 0;      // ms per uncached token
  double gamma = 0;  // ms per query-key pair
  // Names of coefficients that came out negative and were left out: these points do not tell them.
  std::vector<std::string> not_identifiable;
  double max_relative_residual = 0;
  std::optional<double>
      leave_one_out;  // largest relative error at a prompt length that was left out of the fit

  [[nodiscard]] double Ms(double prompt, double uncached) const;
  [[nodiscard]] Json ToJson() const;
};

// w(u, n) = u (n - (u - 1) / 2): every new token attends to all before it and to itself.
double QueryKeyPairs(double prompt, double uncached);

// Least squares of the relative error with no negative coefficient. nullopt for fewer points than
// coefficients, values that are not positive and finite, or points that do not tell the coefficients apart.
std::optional<CostModel> FitCostModel(const std::vector<CostPoint>& points);

}  // namespace helix::analysis
