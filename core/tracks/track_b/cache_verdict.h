// What a series of hosted calls with one prefix says about its cache: the verdict a user meets, with the
// numbers that show it. Verdict names are those of diagnose_miss; nothing is concluded that the counters do
// not show.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/usage/usage.h"

namespace helix::tracks {

struct CallFacts {
  usage::Reply reply;
  bool marked = false;
  std::string marked_digest;  // of the bytes up to the marker; empty: not known
};

struct CacheVerdict {
  std::string code;    // "OK_APPEND_ONLY", "BELOW_MINIMUM", ...
  std::string reason;  // the numbers

  [[nodiscard]] Json ToJson() const { return {{"verdict", code}, {"reason", reason}}; }
};

struct VerdictContext {
  bool reads_markers = false;         // the provider caches only what is marked
  std::optional<int> minimum_prefix;  // tokens, where published
  bool through_router = false;
  std::optional<bool> faster_when_warm;  // TTFT interval above zero; nullopt: not measured
};

// Fewer repeats than this show what one call met, not what a route does.
inline constexpr std::size_t kFewestRepeats = 5;

// Repeats of one prefix, after the call that primed it. Fewer than kFewestRepeats are UNCONFIRMED, with their
// numbers, except where the replies themselves are the fact: no counter at all, or another provider.
CacheVerdict JudgeRepeats(const std::vector<CallFacts>& calls, const VerdictContext& context);
// Turns of one growing conversation, at least three; nullopt when fewer or when counters are not reported.
std::optional<CacheVerdict> JudgeTurns(const std::vector<CallFacts>& turns);

}  // namespace helix::tracks
