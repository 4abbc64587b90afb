#include "core/experiment/plan_order.h"

#include "core/base/json_fields.h"
#include "core/experiment/plan.h"

namespace helix::experiment {

std::optional<std::vector<std::string>> OrderFromSeed(const Json& plan) {
  const auto seed = IntAt(plan, "seed");
  const auto pairs = IntAt(plan, "n_pairs");
  const auto warmup = IntAt(plan, "warmup_pairs");
  const Json* prompts = Find(plan, "prompts");
  if (!seed || !pairs || !warmup || prompts == nullptr || !prompts->is_array()) return std::nullopt;
  if (*pairs < 0 || *warmup < 0 || *pairs + *warmup != static_cast<std::int64_t>(prompts->size()))
    return std::nullopt;
  std::vector<bool> controls;
  for (const Json& prompt : *prompts) controls.push_back(Find(prompt, "control_sha256") != nullptr);
  std::vector<std::string> order;
  for (const Call& call : DrawCalls(static_cast<int>(*warmup), controls, static_cast<std::uint64_t>(*seed))) {
    order.emplace_back(ArmName(call.arm));
  }
  return order;
}

}  // namespace helix::experiment
