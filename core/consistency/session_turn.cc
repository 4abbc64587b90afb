#include "core/consistency/session_turn.h"

#include <chrono>
#include <cstdio>

namespace helix::consistency {

std::optional<double> EpochSeconds(const std::string& timestamp) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  double second = 0;
  if (std::sscanf(timestamp.c_str(), "%4d-%2u-%2uT%2u:%2u:%lf", &year, &month, &day, &hour, &minute,
                  &second) != 6)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok() || hour > 23 || minute > 59 || second < 0 || second >= 61) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days) * 86400 + hour * 3600.0 + minute * 60.0 + second;
}

}  // namespace helix::consistency
