// Clocks. Every duration in the project is a difference of two readings of SteadyNowNs; wall time only
// labels.
#pragma once
#include <cstdint>
#include <string>

namespace helix {

// CLOCK_MONOTONIC in nanoseconds.
std::int64_t SteadyNowNs();
// Wall clock, for labels only: "2026-12-01T06:30:00Z".
std::string UtcTimestamp();
// The steady clock's advertised resolution in nanoseconds.
std::int64_t SteadyResolutionNs();

}  // namespace helix
