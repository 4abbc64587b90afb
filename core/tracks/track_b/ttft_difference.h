// How much sooner the first token comes when the prefix is cached, in milliseconds of the client's clock.
#pragma once
#include <optional>
#include <vector>

#include "core/base/json.h"

namespace helix::tracks {

struct Difference {
  std::size_t pairs = 0;
  double value = 0;  // Hodges-Lehmann estimate of cold - warm
  bool has_interval = false;
  double ci_low = 0;  // 95 %, by inverting Wilcoxon's signed-rank test
  double ci_high = 0;
  double minimum_detectable = 0;  // 80 % power at two-sided 5 %, from the spread of the differences

  [[nodiscard]] Json ToJson() const;
};

// `cold[i]` and `warm[i]` are one pair. nullopt for unequal or empty lists.
std::optional<Difference> PairedDifference(const std::vector<double>& cold, const std::vector<double>& warm);

}  // namespace helix::tracks
