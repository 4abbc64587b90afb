// Carries out a plan, one call at a time. It records; it never computes a statistic and never drops a sample.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/experiment/plan.h"
#include "core/experiment/sample.h"

namespace helix::experiment {

struct RunOptions {
  int slot = 0;
  std::int64_t cold_allowance = 0;
  Millis call_timeout{120'000};
  Millis idle_timeout{
      60'000};  // after a failed call: a prefill that runs on is not cancelled by a disconnect
  std::function<std::int64_t()> now = SteadyNowNs;  // replaced only for a backend with a clock of its own
};

struct RunRecord {
  std::vector<Sample> samples;  // one for each call of the plan, in its order
  std::string stopped_because;  // empty when every call was sent
  const char* traffic_source = "none";
  bool boot_changed = false;  // another server process answered than at the start
};

// Errors: kCancelled when the caller stopped it (within 2 seconds; the server is idle then unless a prefill
// runs on). A server that fails or dies is no error of the run: its samples say so.
Result<RunRecord> Run(backend::Backend& backend, const Plan& plan, const Workload& workload,
                      const RunOptions& options, const RunContext& context);

}  // namespace helix::experiment
