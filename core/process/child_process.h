// A program run as a child that cannot outlive us: in its own process group, stdin empty, output in a log
// file, no descriptor of ours inherited. A supervisor process (supervisor.h) kills the group when this
// process ends, also by SIGKILL. Linux only.
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/process/exit_status.h"

namespace helix::process {

struct ChildOptions {
  std::vector<std::string> argv;  // argv[0] is the path of the program; PATH is not searched
  std::vector<std::string> env;   // "NAME=value", all that the child sees
  std::string log_file;           // stdout and stderr; created (mode 0600) or appended to
  std::string folder;             // working folder; empty: ours
};

struct StopTimes {
  Millis after_first_term{2000};
  Millis after_second_term{1000};
  Millis after_kill{5000};
};

// Not thread-safe. The destructor stops the child and its group.
class ChildProcess {
 public:
  // Returns once the program runs. kIo with the system's reason when it could not be run.
  static Result<ChildProcess> Start(const ChildOptions& options);
  ~ChildProcess();
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;

  [[nodiscard]] int pid() const;
  // nullopt while it runs.
  std::optional<ExitStatus> Poll();
  // nullopt when it still runs after `timeout` or when `stop` was requested.
  std::optional<ExitStatus> Wait(Millis timeout, const std::stop_token& stop = {});
  // SIGTERM, a second SIGTERM, SIGKILL, each to the whole group, with the waits between. When it returns a
  // value, nothing of the group is left. kTimeout when even SIGKILL had no effect in time (a process in the
  // kernel).
  Result<ExitStatus> Stop(const StopTimes& times = {});
  // The last lines of the log, at most `max_bytes`.
  [[nodiscard]] std::string LogTail(std::size_t max_bytes = 2000) const;

 private:
  struct Impl;
  explicit ChildProcess(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The tail of a file: whole lines, at most `max_bytes`; empty when it cannot be read.
std::string FileTail(const std::string& path, std::size_t max_bytes);

}  // namespace helix::process
