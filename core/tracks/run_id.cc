#include "core/tracks/run_id.h"

#include "core/base/clock.h"
#include "core/evidence/digest.h"

namespace helix::tracks {

std::string RunId(const std::string& kind, const std::string& plan_sha256, std::int64_t t_plan_ns) {
  std::string time;
  for (const char c : UtcTimestamp()) {
    if (c != '-' && c != ':') time += c;
  }
  return kind + "-" + time + "-" + evidence::Sha256Hex(plan_sha256 + std::to_string(t_plan_ns)).substr(0, 8);
}

}  // namespace helix::tracks
