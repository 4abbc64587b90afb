// Whom a Track B run calls, with what key, and whether a call costs money. Decided before any paid call.
#pragma once
#include <optional>
#include <string>
#include <variant>

#include "core/backend/hosted.h"
#include "core/backend/router_identity.h"
#include "core/base/skip.h"

namespace helix::tracks {

struct TrackBTargetRequest {
  std::optional<std::string> endpoint;  // base URL, "/v1" included or not; absent: the provider's own
  std::optional<std::string> provider;  // profile name; absent: the first with a key
  std::optional<std::string>
      protocol;  // "anthropic" or "openai", for an endpoint; absent: the profile's, else anthropic
  std::optional<std::string> model;
};

struct TrackBTarget {
  backend::HostedOptions client;
  const backend::ProviderProfile* profile = nullptr;  // nullptr: an endpoint without a provider
  backend::Answerer answerer = backend::Answerer::kUnknown;
  std::string label;  // "anthropic", "anthropic-compatible (llama.cpp)", ...: how results are named
  std::string route;  // "direct", "ccr2", "ccr3-anthropic", ...
  std::string model;
  bool free = false;  // this machine's own llama-server: nothing is charged
  bool synthetic_weights = false;
  std::optional<double> chars_per_token;        // measured by the server's own count
  std::optional<std::int64_t> template_tokens;  // of the template itself; measured before the first call
  std::string template_tokens_of;  // "before the system text" (what any two prompts share) or "in all"
  std::optional<std::int64_t> prefix_tokens_counted;  // of the shared prefix, by the server's own count
  std::optional<std::int64_t> context_tokens;         // of one slot
  std::vector<std::string> notices;                   // sentences that a reader needs
};

// Connects to nothing but `endpoint`, and to that only when the policy allows it. A Skip: credentials_absent,
// endpoint_not_allowed, server_unreachable. A key goes to its own provider's address, to the address that the
// provider's variable names, or to an endpoint a command line user wrote; never to one an agent wrote.
Result<std::variant<TrackBTarget, Skip>> FindTrackBTarget(const TrackBTargetRequest& request,
                                                          const Settings& settings, const EnvReader& env,
                                                          const RunContext& context);

}  // namespace helix::tracks
