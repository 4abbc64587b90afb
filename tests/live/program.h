// Runs the program that users run, as they do.
#pragma once
#include <string>
#include <vector>

namespace helix::live {

struct ProgramRun {
  int exit_code = -1;
  std::string out;
  double seconds = 0;
};

// build/<preset>/bin/helix-perf-cache with these words after it; stderr is left out.
ProgramRun RunProgram(const std::string& words);

// Process numbers of everything that descends from `pid` and has `word` in its command line.
std::vector<int> Descendants(int pid, const std::string& word);

}  // namespace helix::live
