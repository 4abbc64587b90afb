// The checks of group A, one function per row of its table in arms.cc.
#pragma once
#include "core/analysis/checks/check.h"

namespace helix::analysis::checks {

void OnArmNeverHit(const CheckInput& in, Reporter& out);
void BothArmsCold(const CheckInput& in, Reporter& out);
void ArmLabelNotPlanned(const CheckInput& in, Reporter& out);
void ColdArmWarm(const CheckInput& in, Reporter& out);
void ContaminatedByClock(const CheckInput& in, Reporter& out);
void ColdArmContaminated(const CheckInput& in, Reporter& out);
void WarmArmEvicted(const CheckInput& in, Reporter& out);
void TrivialPrefixAsHit(const CheckInput& in, Reporter& out);
void CachedBeyondPrompt(const CheckInput& in, Reporter& out);
void OverReuse(const CheckInput& in, Reporter& out);
void NotBlockAligned(const CheckInput& in, Reporter& out);
void ConstantCounter(const CheckInput& in, Reporter& out);
void CrossSaltHit(const CheckInput& in, Reporter& out);
void CounterIdentity(const CheckInput& in, Reporter& out);
void HitWithoutBenefit(const CheckInput& in, Reporter& out);
void FasterThanSkipping(const CheckInput& in, Reporter& out);
void ResponseCache(const CheckInput& in, Reporter& out);
void PrimeCostHidden(const CheckInput& in, Reporter& out);
void OtherFeatureDiffers(const CheckInput& in, Reporter& out);
void CrossSlotLuck(const CheckInput& in, Reporter& out);

}  // namespace helix::analysis::checks
