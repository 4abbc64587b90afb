#include "core/process/start_time.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace helix::process {

std::string StartTime(std::int64_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  return StartTimeFrom(stat);
}

std::string StartTimeFrom(std::istream& stat) {
  // getline, not a stream buffer's iterator: that one throws where the read fails.
  std::string line;
  std::getline(stat, line);
  // The name in field 2 can hold spaces and brackets, so fields are counted from its end.
  std::istringstream rest(line.substr(std::min(line.rfind(')') + 1, line.size())));
  std::string field;
  for (int i = 3; i <= 22 && rest >> field; ++i) {
    if (i == 3 && field == "Z") return "";
  }
  return rest ? field : "";
}

}  // namespace helix::process
