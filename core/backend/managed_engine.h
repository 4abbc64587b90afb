// A vLLM or SGLang server of our own: started by its recipe on a free loopback port, ready when it returns,
// gone with everything it started when the object is.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/backend/engine_recipe.h"
#include "core/base/run_context.h"
#include "core/base/settings.h"
#include "core/process/exit_status.h"

namespace helix::backend {

// Not thread-safe. The server runs in its own process group: its workers end with it.
class ManagedEngine {
 public:
  // `launch.port` 0: a free one. The log goes to `log_file`. Errors: those of the recipe, kIo (the program
  // cannot be run), kUnavailable (it ended before it was ready: the message has the end of its log),
  // kTimeout, kCancelled.
  static Result<ManagedEngine> Start(const std::string& kind, EngineLaunch launch,
                                     const std::string& log_file, const EnvReader& env,
                                     const RunContext& context, std::optional<double> ready_timeout_s = {});
  ~ManagedEngine();
  ManagedEngine(ManagedEngine&&) noexcept;
  ManagedEngine& operator=(ManagedEngine&&) noexcept;

  [[nodiscard]] const std::string& base_url() const;
  [[nodiscard]] int pid() const;
  [[nodiscard]] const EngineRecipe& recipe() const;
  Result<process::ExitStatus> Stop();

 private:
  struct Impl;
  explicit ManagedEngine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace helix::backend
