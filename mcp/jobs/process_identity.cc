#include "mcp/jobs/process_identity.h"

#include <unistd.h>

#include "core/base/json_fields.h"
#include "core/process/start_time.h"

namespace helix::mcp {

Json ThisProcess() {
  return Json{{"pid", getpid()}, {"start", process::StartTime(getpid())}};
}

bool StillRuns(const Json& who) {
  const auto pid = IntAt(who, "pid");
  const auto start = StringAt(who, "start");
  return pid && start && !start->empty() && process::StartTime(*pid) == *start;
}

}  // namespace helix::mcp
