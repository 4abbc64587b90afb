#include "core/analysis/stopping.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

constexpr std::array<double, 10> kPocock = {0.05,   0.0294, 0.0221, 0.0182, 0.0158,
                                            0.0142, 0.0130, 0.0120, 0.0112, 0.0106};

}  // namespace

double NominalAlpha(double looks) {
  if (!(looks > 1)) return kPocock[0];
  if (looks > static_cast<double>(kPocock.size())) return 0.05 / looks;
  return kPocock[static_cast<std::size_t>(std::ceil(looks)) - 1];
}

double AlphaOfPlan(const Json& plan) {
  double looks = NumberAt(plan, "stopping/looks").value_or(1);
  if (!(looks > 1) || StringAt(plan, "stopping/rule").value_or("").find("precision") != std::string::npos)
    return 0.05;
  double most = NominalAlpha(looks);
  for (const char* name : {"stopping/alpha_per_look", "stopping/nominal_alpha", "stopping/alpha"}) {
    auto stated = NumberAt(plan, name);
    if (stated && *stated > 0) return std::min(*stated, most);
  }
  return most;
}

}  // namespace helix::analysis
