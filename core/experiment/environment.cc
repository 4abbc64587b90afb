#include "core/experiment/environment.h"

#include <sys/utsname.h>

#include <thread>

#include "core/base/clock.h"

namespace helix::experiment {

Json ClockFacts() {
  constexpr int kReadings = 2000;
  const std::int64_t start = SteadyNowNs();
  std::int64_t last = start;
  std::int64_t min_step = 0;
  for (int i = 0; i < kReadings; ++i) {
    const std::int64_t now = SteadyNowNs();
    const std::int64_t step = now - last;
    if (step > 0 && (min_step == 0 || step < min_step)) min_step = step;
    last = now;
  }
  return {{"source", "steady"},
          {"res_ns", SteadyResolutionNs()},
          {"read_ns", static_cast<double>(last - start) / kReadings},
          {"min_step_ns", min_step > 0 ? Json(min_step) : Json(nullptr)}};
}

Json EnvironmentFacts(backend::Backend& backend, const RunContext& context) {
  const auto round_trip = backend.RoundTripNs(context);
  utsname system{};
  const bool known = uname(&system) == 0;
  return {{"rtt_floor_ns", round_trip ? Json(*round_trip) : Json(nullptr)},
          {"clock", ClockFacts()},
          {"os", known ? Json(std::string(system.sysname) + " " + system.release) : Json(nullptr)},
          {"arch", known ? Json(system.machine) : Json(nullptr)},
          {"cpus", std::thread::hardware_concurrency()},
          {"harness_version", HELIX_VERSION}};
}

}  // namespace helix::experiment
