// A llama-server of our own: started on a free loopback port, ready when it returns, gone when the object is.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/llama_flags.h"
#include "core/backend/llama_startup.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/base/settings.h"
#include "core/base/units.h"
#include "core/process/exit_status.h"

namespace helix::backend {

struct ManagedServerOptions {
  std::string program;  // see server_files.h
  std::string model;
  std::string run_dir;  // log and slot files; empty: a temporary folder that goes with the object
  ManagedServerFlags flags;
  Millis ready_timeout{120'000};
  EnvReader env;  // what of our environment the server may see is taken from here; empty: our own
};

// Not thread-safe. The destructor stops the server and everything it started; so does our own death, by
// whatever signal. Close connections to it first: with one open a llama-server needs a second SIGTERM.
class ManagedLlamaServer {
 public:
  // Errors: kIo (the program cannot be run), kUnavailable (it ended before it was ready: the message has the
  // end of its log), kTimeout, kCancelled.
  static Result<ManagedLlamaServer> Start(const ManagedServerOptions& options, const RunContext& context);
  ~ManagedLlamaServer();
  ManagedLlamaServer(ManagedLlamaServer&&) noexcept;
  ManagedLlamaServer& operator=(ManagedLlamaServer&&) noexcept;

  [[nodiscard]] const std::string& base_url() const;  // http://127.0.0.1:port
  [[nodiscard]] int pid() const;
  // Process number and kernel start time: another process never has the same.
  [[nodiscard]] const std::string& boot_id() const;
  // As given to the program, folders of paths removed: what a report keeps.
  [[nodiscard]] const std::vector<std::string>& flags() const;
  // Flags that this build does not know and that were therefore left out.
  [[nodiscard]] const std::vector<std::string>& flags_left_out() const;
  [[nodiscard]] const std::string& log_file() const;
  [[nodiscard]] const std::string& slot_dir() const;  // of --slot-save-path
  // Read from its log when it was ready; set flags.log_startup to have it logged.
  [[nodiscard]] const LlamaStartup& startup() const;
  [[nodiscard]] bool synthetic_weights() const;  // by the model file's own metadata

  // nullopt while it runs.
  std::optional<process::ExitStatus> Exited();
  [[nodiscard]] std::string LogTail() const;
  Result<process::ExitStatus> Stop();

 private:
  struct Impl;
  explicit ManagedLlamaServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace helix::backend
