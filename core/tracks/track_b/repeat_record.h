// The record of a statistical equivalence run, schema helix.equivalence/1, and its answers read back from the
// stored bytes.
#pragma once
#include <string>
#include <vector>

#include "core/evidence/object_store.h"
#include "core/tracks/track_b/repeat_result.h"
#include "core/tracks/track_b/track_b_run.h"
#include "core/tracks/track_b/track_b_target.h"

namespace helix::tracks {

std::vector<RepeatAnswer> AnswersOf(const TrackBRun& run, int repeats);

// `result` (repeat_result.h and what a caller is told beside it) with plan, backend, and one row per call:
// arm, prompt, repeat, status, counters and the digests of request and reply.
Json RepeatRecord(const Json& result, const TrackBRun& run, const Json& plan, const TrackBTarget& target);

struct StoredRepeats {
  std::vector<RepeatAnswer> answers;
  RepeatFacts facts;
};
// Texts, counters and models are read from the replies' bytes again; only which call was which and whether it
// had failed is the record's word. kParse with the pointer of what is not as a record of this kind is, or the
// store's error.
Result<StoredRepeats> ReadRepeats(const Json& record, const evidence::ObjectStore& objects);

}  // namespace helix::tracks
