// Threads that run tool calls, started when they are needed: a server that is only asked for its tools has
// none.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace helix::mcp {

// Thread-safe.
class WorkerPool {
 public:
  explicit WorkerPool(std::size_t max_threads = 64, std::size_t max_waiting = 1024);
  // Threads that still run a task are left to themselves: they hold what they need.
  ~WorkerPool();

  // False when `max_waiting` tasks wait already.
  bool Submit(std::function<void()> task);
  // Waits until nothing runs and nothing waits; false when that took longer.
  bool WaitIdle(std::chrono::milliseconds patience);

 private:
  struct State;
  static void Work(const std::shared_ptr<State>& state);
  const std::shared_ptr<State> state_;
};

}  // namespace helix::mcp
