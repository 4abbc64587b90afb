// Group C: clock and physics.
#include "core/analysis/checks/clock_checks.h"

namespace helix::analysis {

std::vector<Check> ClockChecks() {
  using namespace checks;
  constexpr auto F = Severity::kFail;
  constexpr auto W = Severity::kWarn;
  constexpr auto need = Absence::kBlocksPass;
  constexpr auto declared = Absence::kDeclarable;
  constexpr auto free = Absence::kMayBeMissing;
  return {
      {"C01", "decode_rate_differs", F, need, "decoding differs, which no prefix cache can do",
       DecodeRateDiffers},
      {"C01", "decode_speedup_credited", F, need, "a faster decode sold as a cache's gain",
       DecodeSpeedupCredited},
      {"C02", "conn_setup_asymmetry", F, need, "connection set-up in one call of a pair", ConnectionSetup},
      {"C03", "first_sample_cold_start", W, need,
       "the first call of an arm pays for loading (fail when the server booted in the run)", FirstSampleSlow},
      {"C04", "server_gt_client", F, need, "the server's time exceeds the client's", ServerBeyondClient},
      {"C04", "total_lt_ttft", F, need, "the total is below the TTFT", TotalBelowTtft},
      {"C05", "clock_backwards", F, need, "send times run backwards", ClockBackwards},
      {"C06", "unit_confusion", F, need, "seconds, milliseconds or microseconds mixed up", UnitConfusion},
      {"C07", "clock_too_coarse", F, need, "the clock ticks too slowly for what it times", ClockTooCoarse},
      {"C08", "nonpositive_or_nan", F, need, "a duration that is none", NonPositive},
      {"C09", "below_rtt_floor", F, need, "faster than the network", BelowRttFloor},
      {"C10a", "prefill_below_flop_floor", F, declared, "faster than the arithmetic allows",
       PrefillBelowFlops},
      {"C10b", "decode_below_bandwidth_floor", F, declared, "faster than the memory allows",
       DecodeBelowBandwidth},
      {"C11", "overlap_in_sequential_plan", F, need, "calls overlap in a sequential plan", Overlap},
      {"C12", "sum_gt_wall", F, need, "more measured time than the run took", SumBeyondWall},
      {"C13", "ttft_not_first_token", F, need, "TTFT taken at something that is no token", TtftNotFirstToken},
      {"C14", "queue_asymmetry", W, free, "queueing counted in one arm", QueueAsymmetry},
      {"C15", "client_work_in_one_arm", W, free, "the client's own work counted in one arm", ClientWork},
      {"C16", "clock_mixed", F, free, "times of two clocks subtracted", ClockMixed},
      {"C17", "implausible_timestamp", W, free, "an answer from before the plan or after the report",
       ImplausibleTimestamp},
      {"C18", "transport_artefact", W, need, "40 ms of delayed acknowledgement sold as a gain",
       TransportArtefact},
      {"C19", "first_event_token_count_differs", F, free, "first events of different size", FirstEventTokens},
      {"C20", "power_state_differs", W, free, "the arms ran at different clock rates", PowerState},
  };
}

}  // namespace helix::analysis
