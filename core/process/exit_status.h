// How a process ended.
#pragma once
#include <string>

namespace helix::process {

struct ExitStatus {
  int code = 0;       // of a normal exit; meaningless when signal is set
  int signal = 0;     // the signal that ended it; 0: a normal exit
  bool known = true;  // false: the watcher itself was killed, so nobody saw the end

  [[nodiscard]] bool ok() const { return known && code == 0 && signal == 0; }
  // "exited with status 1", "was ended by signal 9 (Killed)".
  [[nodiscard]] std::string Text() const;
};

// From the status word of waitpid(2).
ExitStatus FromWaitStatus(int status);

}  // namespace helix::process
