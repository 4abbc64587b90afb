// llama-server behind its /v1/messages route: it costs nothing, and counts tokens itself.
#pragma once
#include <variant>

#include "core/base/settings.h"
#include "core/tracks/track_b/track_b_target.h"

namespace helix::tracks {

// Fills model, label, tokens per character and the template's own tokens from the server. A Skip when it does
// not answer /v1/models or count tokens.
Result<std::variant<TrackBTarget, Skip>> AdoptLlamaServer(TrackBTarget target,
                                                          const std::optional<std::string>& model,
                                                          const Settings& settings,
                                                          const RunContext& context);

// Fills prefix_tokens_counted: the tokens of this system text with the template's before it, by the server's
// own count. Left absent when it does not count.
void CountPrefix(TrackBTarget& target, const std::string& system, const RunContext& context);

}  // namespace helix::tracks
