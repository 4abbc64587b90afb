// The equivalence oracle on a server: opens it, runs, keeps the evidence, answers.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/equivalence/oracle.h"
#include "core/tracks/target.h"

namespace helix::tracks {

struct EquivalenceCheckOptions {
  TargetRequest target;
  std::string profile = "quick";  // quick, standard, thorough
  std::optional<int> prompts;     // beside the boundary cases
  std::optional<int> output_tokens;
  std::uint64_t seed = 1;
  std::string out;  // a copy of the report goes here as well; empty: none
};

// The structured result of contract section 4, or that of a SKIP. The record (schema helix.equivalence/1) and
// every raw request and response are in the report folder before this returns. Errors: the caller's mistakes,
// kCancelled, a report folder that cannot be written, a server that failed on the way: half a run is no
// result.
Result<Json> RunEquivalenceCheck(const EquivalenceCheckOptions& options, const Settings& settings,
                                 const RunContext& context);

// The same on a target that is open already; `control` may be empty.
Result<Json> RunEquivalenceCheckOn(Target& target, const EquivalenceCheckOptions& options,
                                   equivalence::ServerWithUbatch control, const Settings& settings,
                                   const RunContext& context);

}  // namespace helix::tracks
