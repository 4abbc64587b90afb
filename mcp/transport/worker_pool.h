// Threads that run tool calls, started when they are needed and ended when they are not: a server that is
// only asked for its tools has none.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace helix::mcp {

struct WorkerLimits {
  std::size_t threads = 64;
  std::size_t waiting = 1024;
  // So many tasks run at once without a wait: more of them would only share the processors. A task beyond
  // that starts when one has ended, or after `patience`, since those that run may be waiting for something.
  std::size_t eager = 0;  // 0: as many as there are processors
  std::chrono::milliseconds patience{2};
  std::chrono::milliseconds idle{5000};  // then a thread without work ends
};

// Thread-safe.
class WorkerPool {
 public:
  explicit WorkerPool(WorkerLimits limits = {});
  // Threads that still run a task are left to themselves: they hold what they need.
  ~WorkerPool();

  // False when `waiting` tasks wait already, or when no thread could be started.
  bool Submit(std::function<void()> task);
  // Waits until nothing runs and nothing waits; false when that took longer.
  bool WaitIdle(std::chrono::milliseconds patience);
  [[nodiscard]] std::size_t threads() const;

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace helix::mcp
