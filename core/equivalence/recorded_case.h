// A comparison that someone else recorded: token lists of cold and warm runs, and what is known of the
// margin.
#pragma once
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/equivalence/classifier.h"

namespace helix::equivalence {

struct RecordedFinding {
  Finding finding;
  // Where the record contradicts itself, such as a diverged_at that its own token lists do not show.
  std::vector<std::string> notes;
};

// `input` holds `cold` and `warm` (token ids, or a text when there are no ids) and optionally: `cold2`,
// `warm2`, `cold_vs_cold_identical`, `warm_vs_warm_identical`, `cold_top2_margin_nats`,
// `warm_top2_margin_nats`, `diverged_at`, `control_noise_nats`, `cold_logprobs` and `warm_logprobs` (per
// token a list of {id, logprob}, best first). With only `diverged_at` the token lists may be missing.
// kInvalidArgument when it is not of this form.
Result<RecordedFinding> ClassifyRecorded(const Json& input);

}  // namespace helix::equivalence
