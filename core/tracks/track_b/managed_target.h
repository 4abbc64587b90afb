// A llama-server of our own for a Track B run.
#pragma once
#include <variant>

#include "core/backend/managed_llama_server.h"
#include "core/base/skip.h"
#include "core/tracks/track_b/track_b_plan.h"

namespace helix::tracks {

// One slot, long enough for the planned prompts of a model whose tokens are bytes. A Skip when program
// or model is missing.
Result<std::variant<backend::ManagedLlamaServer, Skip>> StartManagedTarget(const TrackBOptions& options,
                                                                           const Settings& settings,
                                                                           const EnvReader& env,
                                                                           const RunContext& context);

}  // namespace helix::tracks
