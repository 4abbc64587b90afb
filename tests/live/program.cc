#include "tests/live/program.h"

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/base/clock.h"
#include "tests/support/paths.h"

namespace helix::live {
namespace {

int ParentOf(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  std::getline(file, stat);
  const auto end_of_name = stat.rfind(')');
  if (end_of_name == std::string::npos) return 0;
  std::istringstream rest(stat.substr(end_of_name + 1));
  std::string state;
  int parent = 0;
  rest >> state >> parent;
  return parent;
}

bool DescendsFrom(int pid, int ancestor) {
  for (int i = 0; i < 32 && pid > 1; ++i) {
    pid = ParentOf(pid);
    if (pid == ancestor) return true;
  }
  return false;
}

std::string CommandLine(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return text;
}

}  // namespace

ProgramRun RunProgram(const std::string& words) {
  ProgramRun run;
  const std::int64_t start = SteadyNowNs();
  const std::string command =
      testing_support::BinaryDir() + "/bin/helix-perf-cache " + words + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return run;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) run.out.append(buffer, n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  run.seconds = static_cast<double>(SteadyNowNs() - start) / 1e9;
  return run;
}

std::vector<int> Descendants(int pid, const std::string& word) {
  std::vector<int> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const int candidate = std::stoi(name);
    if (CommandLine(candidate).find(word) != std::string::npos && DescendsFrom(candidate, pid))
      found.push_back(candidate);
  }
  return found;
}

}  // namespace helix::live
