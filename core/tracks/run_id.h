// Names of runs in the report folder.
#pragma once
#include <cstdint>
#include <string>

namespace helix::tracks {

// "a-20261201T063000Z-1f2e3d4c": kind, wall clock, and eight digits that differ between runs of one second.
std::string RunId(const std::string& kind, const std::string& plan_sha256, std::int64_t t_plan_ns);

}  // namespace helix::tracks
