// From the answers of a statistical equivalence run to what can be said: a pure function, used for a fresh
// run and for a stored one. Texts of a hosted API show agreement or difference, never that two answers are
// one.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/tracks/track_b/repeat_plan.h"

namespace helix::tracks {

// One measured answer; priming calls are none.
struct RepeatAnswer {
  bool cached = false;  // the arm it was asked in
  int prompt = 0;
  int repeat = 0;
  bool ok = false;
  std::string failure;
  std::string text;
  std::optional<std::int64_t> read;  // reused tokens, as the reply counts them
  std::optional<std::int64_t> prompt_tokens;
  std::string model;    // as the reply names it
  std::string expects;  // the values its question asks for
};

struct RepeatFacts {
  RepeatOptions options;
  std::int64_t cold_allow = 0;  // tokens of the template that any two prompts share
  bool synthetic_weights = false;
};

// Fields: verdict (always INCONCLUSIVE), class (always UNKNOWN: no token ids), reason, difference_detected
// (null where nothing can be said), statistical (agreement.h, over characters, with answers and unproven),
// arms {uncached, cached}, needle, models_answered, prompts_left_out, limits.
//
// An arm is proven by the replies' own counters: a cold answer reused no more than the template's tokens, a
// cached one at least half of its prompt. One answer that is not what its arm is called, and there is no
// statement on the arms.
Json RepeatResult(const std::vector<RepeatAnswer>& answers, const RepeatFacts& facts);

// For people. Prints what the result holds and nothing else.
std::string RepeatText(const Json& result);

}  // namespace helix::tracks
