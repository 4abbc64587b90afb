// How long a server may keep silent before a run gives it up: the user's setting.
#pragma once
#include "core/base/result.h"
#include "core/base/settings.h"
#include "core/base/units.h"

namespace helix::net {

inline constexpr const char* kSilenceVariable = "HELIX_SILENCE_LIMIT_S";

// The variable's seconds, 1 to 86400, or `otherwise` when it is unset. kInvalidArgument, naming the variable,
// for anything else.
Result<Millis> SilenceLimit(const EnvReader& env, Millis otherwise);

}  // namespace helix::net
