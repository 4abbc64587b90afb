// Facts about the clock and the way to the server, measured once per run.
#pragma once
#include "core/backend/backend.h"

namespace helix::experiment {

// {"source":"steady","res_ns":..,"read_ns":..,"min_step_ns":..}: advertised resolution, cost of one reading,
// and the smallest step seen between two readings.
Json ClockFacts();

// The `env` of the report: clock, rtt_floor_ns (null where the backend has no trivial request), what the
// machine is. Nothing in it names the machine or its user.
Json EnvironmentFacts(backend::Backend& backend, const RunContext& context);

}  // namespace helix::experiment
