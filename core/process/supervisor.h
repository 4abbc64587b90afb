// The small process between us and a child: it ends the child's whole group when we are gone, however we
// went. Everything here runs after fork in a process that had threads, so only async-signal-safe calls are
// made.
#pragma once

namespace helix::process {

// Made before the fork; file descriptors are 3 or higher and close-on-exec.
struct SupervisorPlan {
  const char* path = nullptr;  // the program, resolved
  char* const* argv = nullptr;
  char* const* envp = nullptr;
  const char* folder = nullptr;  // working folder of the child; null keeps ours
  int log_fd = -1;               // the child's stdout and stderr
  int lifeline_fd = -1;  // read end: a byte is a signal for the child's group, its end means that we are gone
  int report_fd = -1;    // write end: the child's pid, then its wait status, each an int
  int exec_error_fd = -1;  // write end: an errno when the program could not be run, else its end
};

// Starts the child in its own process group and stays until it has ended and nothing of its group is left.
[[noreturn]] void Supervise(const SupervisorPlan& plan);

}  // namespace helix::process
