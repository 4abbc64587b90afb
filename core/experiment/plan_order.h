// The order of a stored plan, drawn again.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::experiment {

// The `order` that MakePlan gives for the plan's seed, numbers of pairs and prompts. Nullopt when the plan
// does not carry what MakePlan writes (seed, n_pairs, warmup_pairs, one entry of prompts for each pair):
// another program's plan cannot be drawn again.
std::optional<std::vector<std::string>> OrderFromSeed(const Json& plan);

}  // namespace helix::experiment
