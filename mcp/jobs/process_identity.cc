#include "mcp/jobs/process_identity.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

#include "core/base/json_fields.h"

namespace helix::mcp {
namespace {

// Field 22 of /proc/<pid>/stat; the name in field 2 can hold spaces and brackets, so count from its end.
std::string StartTime(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  std::stringstream rest(line.substr(std::min(line.rfind(')') + 1, line.size())));
  std::string field;
  for (int i = 3; i <= 22 && rest >> field; ++i) {
    if (i == 3 && field == "Z") return "";  // ended, not yet reaped
  }
  return rest ? field : "";
}

}  // namespace

Json ThisProcess() {
  return Json{{"pid", getpid()}, {"start", StartTime(getpid())}};
}

bool StillRuns(const Json& process) {
  const auto pid = IntAt(process, "pid");
  const auto start = StringAt(process, "start");
  return pid && start && !start->empty() && StartTime(*pid) == *start;
}

}  // namespace helix::mcp
