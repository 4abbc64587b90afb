// The user's permission to make calls that cost money.
#pragma once
#include "core/base/settings.h"
#include "core/tracks/track_b/spend_permission.h"

namespace helix::mcp {

// Of the command line: paid, max_usd, prices.
Json SpendCliProperties();

// From the command line's arguments; an agent cannot allow spending, its user can by HELIX_ALLOW_PAID,
// HELIX_MAX_USD and HELIX_PRICES in the server's environment. kInvalidArgument when HELIX_MAX_USD is no
// amount.
Result<tracks::SpendRequest> ReadSpendSwitch(const Json& arguments, const Settings& settings,
                                             const EnvReader& env);

}  // namespace helix::mcp
