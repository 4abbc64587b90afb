// What paid calls may still cost, shared by all processes of this user: an append-only file under a file
// lock. A call is reserved at its largest possible cost before it is made; one whose outcome was never
// written (the process was killed) stays counted in full.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/cost/money.h"

namespace helix::cost {

struct Reservation {
  std::string id;
  Money amount;
};

class SpendLedger {
 public:
  // `limit`: what all calls of one UTC day may cost together. `utc_day`: "2026-12-01".
  SpendLedger(std::string path, Money limit, std::string utc_day);

  // kRefused when the day's total would pass the limit; the hint says what is left. Durable when it returns.
  Result<Reservation> Reserve(Money most);
  // Replaces the reservation by what the call cost. Settling twice, or above the reservation, is recorded as
  // it is.
  Status Settle(const Reservation& reservation, Money actual);
  // Reserved or spent today.
  Result<Money> Committed() const;

 private:
  std::string path_;
  Money limit_;
  std::string day_;
};

}  // namespace helix::cost
