// From what was gathered to a verdict. Pure.
#pragma once
#include <cstdint>
#include <vector>

#include "core/equivalence/oracle.h"

namespace helix::equivalence {

// Sets noise, noise_known and the three distance summaries from the cases.
void MeasureNoise(OracleResult& result);

// Classifies every case, then sets class, verdict, reason, hit counter control and limits. PASS needs every
// case compared, none worse than a near tie, every negative control detected.
void Decide(OracleResult& result, const OracleOptions& options, const std::vector<std::int64_t>& left_out);

// Comparisons whose tokens differ, and all that were compared: without token ids or a baseline that repeats
// itself none was.
struct MismatchCount {
  int mismatches = 0;
  int compared = 0;
};
MismatchCount CountMismatches(const OracleResult& result);

}  // namespace helix::equivalence
