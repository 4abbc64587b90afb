// The equivalence oracle: does the cache change the answer, and is that numerics or a wrong cache? Runs every
// arm, shape and control over one backend and decides; reports nothing it did not compare.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/equivalence/classifier.h"
#include "core/equivalence/control_arm.h"
#include "core/equivalence/conversation.h"
#include "core/equivalence/needle_canary.h"
#include "core/equivalence/negative_controls.h"
#include "core/equivalence/refusals.h"
#include "core/equivalence/statistical_run.h"

namespace helix::equivalence {

struct OracleOptions {
  std::string profile = "standard";
  std::uint64_t seed = 1;
  ShapePlan shapes;
  ConversationPlan conversation;
  StatisticalPlan statistical;  // asked only where answers cannot be compared one by one
  RefusalPolicy refusals;
  int slot = 0;
  std::int64_t server_ubatch = 0;  // the server's micro-batch, 0 when unknown
  std::int64_t block_size = 1;
  std::int64_t context_per_slot = 0;  // tokens, 0 when unknown
  ServerWithUbatch control_server;    // empty: the control is asked of the same server
  EvidenceSink evidence;
};

// At least 8 prompts of 64 tokens, every boundary, three turns.
OracleOptions StandardOptions();
// Fewer and shorter; what that can no longer detect is in OracleResult::limits.
OracleOptions QuickOptions();

struct CaseResult {
  ShapeCase shape;
  ArmAnswers answers;
  ControlReading control;
  std::vector<Refusal> refused;  // not empty: the case is no evidence and has no class
  Finding finding;               // only when not refused
};

struct OracleResult {
  std::string verdict;       // PASS, FAIL, INCONCLUSIVE
  std::string reason;        // why this verdict, one sentence
  std::optional<Class> cls;  // the worst; absent when every case was refused
  std::vector<CaseResult> cases;
  std::vector<Refusal> refused_across;  // of the run as a whole
  std::vector<NegativeControl> negative_controls;
  CanaryResult canary;
  std::optional<StatisticalResult> statistical;  // fresh differed from fresh, or there were no token ids
  std::optional<int> free_running_divergence;
  int turns = 0;
  double noise = 0;                     // D_GF over all cases, and fresh against fresh again
  bool noise_known = false;             // any control gave a number
  std::optional<DistanceSummary> d_cf;  // cached against fresh
  std::optional<DistanceSummary> d_gf;  // control against fresh
  std::optional<DistanceSummary> d_ff;  // fresh against fresh again
  std::vector<std::string> limits;      // what this run cannot detect or prove
};

// One request in flight. Needs token ids in both directions for a verdict; without ids out the class is
// UNKNOWN. Errors: what the backend returned (no part of a run is a result), kCancelled.
Result<OracleResult> RunOracle(backend::Backend& backend, const backend::Identity& identity,
                               const OracleOptions& options, const RunContext& context);

}  // namespace helix::equivalence
