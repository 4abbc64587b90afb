// Was the server ours alone? By its own totals before and after each call, where it has them; else by whether
// it was idle when a call began.
#pragma once
#include <optional>

#include "core/backend/backend.h"

namespace helix::experiment {

class TrafficWatch {
 public:
  // Reads the totals once. Where the backend has none, `Settle` asks whether the server is idle.
  TrafficWatch(backend::Backend& backend, const RunContext& context);

  // Before a call: a server that had to be waited for was working for someone else. kTimeout when it stays
  // busy, kUnavailable when it is gone.
  Status Settle(Millis timeout, const RunContext& context);
  // After a finished call: null when the totals moved by exactly what the reply says; else what they moved
  // beyond it, {"processed":..,"cached":..,"predicted":..} (null where a count is not known) or
  // {"waited_ms":..}.
  Json Beyond(const backend::GenerateReply& reply, const RunContext& context);
  // After a failed call the totals are read anew: what it did is not known.
  void Restart(const RunContext& context);

  // "metrics", "slots" or "none".
  [[nodiscard]] const char* source() const;

 private:
  backend::Backend& backend_;
  std::optional<backend::WorkCounters> totals_;
  std::optional<double> waited_ms_;
};

}  // namespace helix::experiment
