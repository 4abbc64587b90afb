// What can be computed again from the bytes that a run kept: for `verify`, without a server.
#pragma once
#include <vector>

#include "core/analysis/verify_report.h"

namespace helix::tracks {

using Steps = std::vector<analysis::VerifyStep>;

// For VerifyOptions::rederive. A step that cannot be made says why; none is left out in silence.
Steps RederiveFromBytes(const Json& report, const evidence::ObjectStore& objects);

// Of a helix.report/1 that measured a llama-server: token ids and texts of every answer, and the token lists
// that its equality claim rests on.
Steps RederiveAnswers(const Json& report, const evidence::ObjectStore& objects);
// Of a helix.equivalence/1 over token ids from a llama-server: answers and counters of every case, then
// refusals, classes and verdict. What control arm and negative controls showed is the record's word.
Steps RederiveOracle(const Json& record, const evidence::ObjectStore& objects);
// Of a helix.equivalence/1 in the statistical mode: everything but which call was which.
Steps RederiveRepeats(const Json& record, const evidence::ObjectStore& objects);

}  // namespace helix::tracks
