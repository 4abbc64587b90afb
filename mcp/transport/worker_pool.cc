#include "mcp/transport/worker_pool.h"

#include <thread>

namespace helix::mcp {

struct WorkerPool::State {
  std::size_t max_threads;
  std::size_t max_waiting;
  std::mutex mutex;
  std::condition_variable work;
  std::condition_variable idle;
  std::deque<std::function<void()>> tasks;
  std::size_t threads = 0;
  std::size_t running = 0;
  bool closed = false;
};

WorkerPool::WorkerPool(std::size_t max_threads, std::size_t max_waiting) : state_(std::make_shared<State>()) {
  state_->max_threads = max_threads;
  state_->max_waiting = max_waiting;
}

WorkerPool::~WorkerPool() {
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
  state_->tasks.clear();
  state_->work.notify_all();
}

bool WorkerPool::Submit(std::function<void()> task) {
  const std::lock_guard lock(state_->mutex);
  if (state_->tasks.size() >= state_->max_waiting) return false;
  state_->tasks.push_back(std::move(task));
  const std::size_t free = state_->threads - state_->running;
  if (state_->tasks.size() > free && state_->threads < state_->max_threads) {
    ++state_->threads;
    std::thread(Work, state_).detach();
  }
  state_->work.notify_one();
  return true;
}

void WorkerPool::Work(const std::shared_ptr<State>& state) {
  std::unique_lock lock(state->mutex);
  while (true) {
    state->work.wait(lock, [&] { return state->closed || !state->tasks.empty(); });
    if (state->tasks.empty()) return;
    auto task = std::move(state->tasks.front());
    state->tasks.pop_front();
    ++state->running;
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
    --state->running;
    state->idle.notify_all();
  }
}

bool WorkerPool::WaitIdle(std::chrono::milliseconds patience) {
  std::unique_lock lock(state_->mutex);
  return state_->idle.wait_for(lock, patience, [&] { return state_->running == 0 && state_->tasks.empty(); });
}

}  // namespace helix::mcp
