// What a statistical equivalence run sends: prompts whose answers stand in what is cached, each asked several
// times in both arms. Decided before the first call.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tracks/track_b/track_b_plan.h"

namespace helix::tracks {

// How an uncached answer is had.
enum class ColdMeans {
  kUnmarked,  // the same bytes without a cache marker: a provider that caches only what is marked
  kSwitch,    // the same bytes with llama-server's cache_prompt off
  kSalt,      // first words that occur once: each answer of either arm has its own
};
const char* ColdMeansName(ColdMeans means);  // "unmarked", "switch", "salt"
std::optional<ColdMeans> ColdMeansFromName(const std::string& name);

struct RepeatOptions {
  std::string profile = "quick";
  int prompts = 8;
  int repeats = 3;           // per prompt and arm, 2 to 9
  int prefix_tokens = 1024;  // of the cached text, by TrackBOptions::chars_per_token
  int output_tokens = 64;
  std::optional<double> temperature;  // absent: not sent, the API's own
  std::uint64_t seed = 1;
  ColdMeans cold = ColdMeans::kSalt;
};

// quick 8 prompts of 3 repeats, standard 25 of 4, thorough 59 of 4; nullopt for another name.
std::optional<RepeatOptions> RepeatProfile(const std::string& name);
// kInvalidArgument, saying the range.
Status CheckRepeats(const RepeatOptions& options);

// Per repeat one cold call, and one priming call followed by one warm call, in random order. A call's `pair`
// is prompt * repeats + repeat; `answer` holds the three values its question asks for, a blank between them.
// `options` gives model and characters per token.
std::vector<PlannedCall> PlanRepeats(const RepeatOptions& repeats, const TrackBOptions& options);

Json PlanJson(const RepeatOptions& repeats, const TrackBOptions& options);

}  // namespace helix::tracks
