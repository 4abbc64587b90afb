// Whether planned calls may be made: their price is known, the user switched paid calls on, and all of them
// stay below what the user set.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "core/tracks/track_b/track_b_run.h"
#include "core/tracks/track_b/track_b_target.h"

namespace helix::tracks {

struct SpendRequest {
  bool paid = false;              // the user's switch
  std::optional<double> max_usd;  // with it: what all calls of one UTC day may cost together
  std::string prices_file;
};

struct SpendPermission {
  std::unique_ptr<cost::SpendLedger> ledger;
  Spending spending;  // borrows the ledger
};

// Calls nothing. A Skip spend_not_allowed where a price is unknown, and, with the most that the calls could
// cost, where the switch or the limit is missing. An Error when the price file cannot be read.
Result<std::variant<SpendPermission, Skip>> PermitSpending(const SpendRequest& request,
                                                           const TrackBTarget& target,
                                                           const std::vector<PlannedCall>& plan,
                                                           const TrackBOptions& options,
                                                           const Settings& settings);

}  // namespace helix::tracks
