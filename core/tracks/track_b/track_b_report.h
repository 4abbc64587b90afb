// The record of a Track B run as helix.report/1, before analysis adds what follows from the samples. Cold
// calls are its arm `off`, warm ones `on`; the salt is named apart from the prompt, so that a pair's prompts
// compare equal.
#pragma once
#include "core/base/json.h"
#include "core/evidence/object_store.h"
#include "core/tracks/track_b/track_b_run.h"
#include "core/tracks/track_b/track_b_target.h"

namespace helix::tracks {

// Stores request and reply bytes (redacted) of every call that got one, notes their digests in the calls and
// returns them.
Result<std::vector<std::string>> StoreReplies(evidence::ObjectStore& objects, TrackBRun& run);

// `plan` as PlanJson made it. A planned call that was never made is a row with status "not_run". `judged` is
// Track B's own result; it stands under /track_b without its notices.
Json TrackBReport(const TrackBRun& run, const std::vector<PlannedCall>& planned, const Json& plan,
                  const TrackBTarget& target, const Json& judged);

// Tokens of the prefix as the provider counts them: what the priming call wrote and read, else what the
// server counted, else its whole prompt. nullopt when no priming call tells.
std::optional<std::int64_t> ExpectedCached(const TrackBRun& run, const TrackBTarget& target);

}  // namespace helix::tracks
