// A row of replies in one form, from whatever a trace holds: whole replies, usages, or bare counters.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::consistency {

struct TraceStep {
  std::optional<double> read;  // reused tokens; absent when not reported
  std::optional<double> written;
  std::optional<double> uncached;  // input neither read nor written
  std::optional<double> total;     // the whole prompt
  std::optional<double> matched;   // what the engine says matched
  std::optional<double> time_ms;   // TTFT, else wall time
  std::optional<double> gap_s;     // since the step before
  std::string route;               // provider, region, replica or backend that answered; empty when not known
  [[nodiscard]] double Share() const;  // read of total, 0 when either is unknown
};

struct ReplyTrace {
  std::vector<TraceStep> steps;
  bool parallel = false;  // the requests were in flight together
};

// Reads {"trace": [...]}, {"replies": [...]}, parallel lists {"cached": [...], "prompt": [...]}, or one step
// {"usage": {...}}.
ReplyTrace ReadReplyTrace(const Json& input);

}  // namespace helix::consistency
