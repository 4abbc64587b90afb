// Does a prompt cache change answers where they can only be compared statistically: hosted APIs, and local
// servers through the same protocols.
#pragma once
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/base/settings.h"
#include "core/tracks/track_b/spend_permission.h"

namespace helix::tracks {

struct HostedEquivalenceRequest {
  TrackBTargetRequest target;
  bool managed = false;           // start a llama-server of our own and ask that
  std::string profile = "quick";  // quick, standard, thorough (repeat_plan.h)
  std::optional<int> prompts;
  std::optional<int> repeats;
  std::optional<int> output_tokens;
  std::optional<int> prefix_tokens;   // absent: above the model's minimum, and 1024 or more
  std::optional<double> temperature;  // absent: not sent
  std::uint64_t seed = 1;
  SpendRequest spend;
  std::string out;  // a second copy of the report; empty: none
};

// The result of repeat_result.h with label, route, model, weights, cost, notices, report_path and
// report_sha256; or that of a SKIP. Keys, permission to spend and prices are those of RunTrackB: without a
// key credentials_absent, with one and no switch the most it could cost, and nothing is called. A
// llama-server, vLLM, SGLang or Ollama on this machine costs nothing. Record and bytes are in the report
// folder before this returns. Errors: the caller's mistakes, kCancelled, a report folder that cannot be
// written.
Result<Json> RunHostedEquivalence(const HostedEquivalenceRequest& request, const Settings& settings,
                                  const EnvReader& env, const RunContext& context);

}  // namespace helix::tracks
