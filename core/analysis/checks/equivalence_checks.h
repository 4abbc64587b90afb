// The checks of group E, one function per row of its table in equivalence.cc.
#pragma once
#include "core/analysis/checks/check.h"

namespace helix::analysis::checks {

void SameResponse(const CheckInput& in, Reporter& out);
void FreshWasCached(const CheckInput& in, Reporter& out);
void RepeatedCachedRun(const CheckInput& in, Reporter& out);
void CachedWasFresh(const CheckInput& in, Reporter& out);
void EmptyOutput(const CheckInput& in, Reporter& out);
void TooFewTokens(const CheckInput& in, Reporter& out);
void DegenerateOutput(const CheckInput& in, Reporter& out);
void NormalisedText(const CheckInput& in, Reporter& out);
void PrefixOnly(const CheckInput& in, Reporter& out);
void ClaimFalse(const CheckInput& in, Reporter& out);
void PromptInsensitive(const CheckInput& in, Reporter& out);
void SameSlot(const CheckInput& in, Reporter& out);
void WithoutEvidence(const CheckInput& in, Reporter& out);
void StubAsReal(const CheckInput& in, Reporter& out);
void SyntheticPass(const CheckInput& in, Reporter& out);
void NoNegativeControl(const CheckInput& in, Reporter& out);
void ControlNotDetected(const CheckInput& in, Reporter& out);
void TextOnly(const CheckInput& in, Reporter& out);
void NoBaseline(const CheckInput& in, Reporter& out);
void Renormalised(const CheckInput& in, Reporter& out);

}  // namespace helix::analysis::checks
