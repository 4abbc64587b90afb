// Group A: arms and cache state.
#include "core/analysis/checks/arms_checks.h"

namespace helix::analysis {

std::vector<Check> ArmChecks() {
  using namespace checks;
  constexpr auto F = Severity::kFail;
  constexpr auto W = Severity::kWarn;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"A01", "on_arm_never_hit", F, need, "a cache-off run labelled cache-on", OnArmNeverHit},
      {"A02", "arm_label_ne_plan", F, need, "labels are not those of the plan", ArmLabelNotPlanned},
      {"A03", "cold_arm_warm", F, need, "at least half of the cold calls were warm", ColdArmWarm},
      {"A04", "on_arm_never_hit", F, need, "both arms cold, and the plan explains why", BothArmsCold},
      {"A05", "cold_arm_contaminated", F, need, "a few cold calls were warm", ColdArmContaminated},
      {"A06", "warm_arm_evicted", W, need, "some warm calls missed; kept in the numbers", WarmArmEvicted},
      {"A07a", "cached_gt_prompt", F, need, "the counter exceeds what a prompt can reuse",
       CachedBeyondPrompt},
      {"A07b", "over_reuse", F, need, "more reused than this server was ever shown", OverReuse},
      {"A07c", "not_block_aligned", F, need, "not a multiple of the engine's block", NotBlockAligned},
      {"A08", "const_cached_eq_prompt_minus_1", F, need, "a counter that says prompt - 1 whatever happens",
       ConstantCounter},
      {"A09", "cross_salt_hit", F, free, "a hit under another salt", CrossSaltHit},
      {"A10", "counter_identity", F, need, "processed + cached is not the prompt", CounterIdentity},
      {"A11a", "hit_but_no_time_saved", F, need, "the counter says warm, the clock says cold",
       HitWithoutBenefit},
      {"A11b", "faster_than_prefill_skip_bound", F, need, "faster than skipping tokens allows",
       FasterThanSkipping},
      {"A12", "response_cache", F, need, "a stored answer sold as a prefix hit", ResponseCache},
      {"A13", "prime_cost_hidden", W, free, "the calls that fill the cache are not recorded",
       PrimeCostHidden},
      {"A14", "other_feature_differs", F, free, "another flag differs between the arms", OtherFeatureDiffers},
      {"A15", "cross_slot_luck", W, free, "the hit depends on the slot", CrossSlotLuck},
      {"A16", "trivial_prefix_as_hit", F, free, "the shared template counted as a hit", TrivialPrefixAsHit},
  };
}

}  // namespace helix::analysis
