#include "core/process/exit_status.h"

#include <string.h>
#include <sys/wait.h>

namespace helix::process {

std::string ExitStatus::Text() const {
  if (!known) return "ended unseen: the process that watched it was killed";
  if (signal == 0) return "exited with status " + std::to_string(code);
  const char* name = ::sigdescr_np(signal);
  return "was ended by signal " + std::to_string(signal) +
         (name == nullptr ? "" : " (" + std::string(name) + ")");
}

ExitStatus FromWaitStatus(int status) {
  ExitStatus out;
  if (WIFSIGNALED(status)) {
    out.signal = WTERMSIG(status);
  } else {
    out.code = WEXITSTATUS(status);
  }
  return out;
}

}  // namespace helix::process
