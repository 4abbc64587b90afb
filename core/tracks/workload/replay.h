// The user's own agent loop, from a capture: turn by turn with the cache on and off.
#pragma once
#include "core/consistency/capture_file.h"
#include "core/tracks/workload/session.h"

namespace helix::tracks {

struct ReplayTurn {
  std::size_t exchange = 0;  // in the capture
  std::vector<backend::TokenId> prompt;
  int output_tokens = 1;
};

struct ReplayPlan {
  std::vector<ReplayTurn> turns;
  std::vector<std::string> notes;  // what of the capture is not replayed, and why
  std::int64_t longest = 0;        // prompt and output of the longest turn, tokens
};

struct ReplayOptions {
  int loops = 6;  // of each kind; fewer than 6 give no interval
  int most_output_tokens = 32;
  std::uint64_t seed = 1;
};

// The captured requests as prompts of this server: through its own template and tokenizer. kInvalidArgument
// when there is none.
Result<ReplayPlan> PlanReplay(const std::vector<consistency::CapturedExchange>& exchanges,
                              const std::string& base_url, const std::string& api_key,
                              const ReplayOptions& options, const RunContext& context);

// {"verdict", "reason", "turns": [{exchange, prompt, expected, reported, verdict, off, on, ratio}], "loop":
// {...}}. Only hashes and lengths of the prompts stand in it. Every loop with the cache begins with a wiped
// slot.
Result<Json> RunReplay(PredictedServer& server, const ReplayPlan& plan, const ReplayOptions& options,
                       const RunContext& context);

}  // namespace helix::tracks
