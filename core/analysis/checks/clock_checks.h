// The checks of group C, one function per row of its table in clock.cc.
#pragma once
#include "core/analysis/checks/check.h"

namespace helix::analysis::checks {

void FirstSampleSlow(const CheckInput& in, Reporter& out);
void ServerBeyondClient(const CheckInput& in, Reporter& out);
void TotalBelowTtft(const CheckInput& in, Reporter& out);
void ClockBackwards(const CheckInput& in, Reporter& out);
void UnitConfusion(const CheckInput& in, Reporter& out);
void ClockTooCoarse(const CheckInput& in, Reporter& out);
void NonPositive(const CheckInput& in, Reporter& out);
void Overlap(const CheckInput& in, Reporter& out);
void SumBeyondWall(const CheckInput& in, Reporter& out);
void TtftNotFirstToken(const CheckInput& in, Reporter& out);
void ClockMixed(const CheckInput& in, Reporter& out);
void ImplausibleTimestamp(const CheckInput& in, Reporter& out);
void DecodeRateDiffers(const CheckInput& in, Reporter& out);
void DecodeSpeedupCredited(const CheckInput& in, Reporter& out);
void BelowRttFloor(const CheckInput& in, Reporter& out);
void PrefillBelowFlops(const CheckInput& in, Reporter& out);
void DecodeBelowBandwidth(const CheckInput& in, Reporter& out);
void ConnectionSetup(const CheckInput& in, Reporter& out);
void QueueAsymmetry(const CheckInput& in, Reporter& out);
void ClientWork(const CheckInput& in, Reporter& out);
void TransportArtefact(const CheckInput& in, Reporter& out);
void FirstEventTokens(const CheckInput& in, Reporter& out);
void PowerState(const CheckInput& in, Reporter& out);

}  // namespace helix::analysis::checks
