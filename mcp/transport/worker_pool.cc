#include "mcp/transport/worker_pool.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace helix::mcp {
namespace {

using Clock = std::chrono::steady_clock;

struct Task {
  std::function<void()> run;
  Clock::time_point since;
};

std::size_t Eager(const WorkerLimits& limits) {
  return limits.eager > 0 ? limits.eager : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

}  // namespace

struct WorkerPool::State : std::enable_shared_from_this<WorkerPool::State> {
  explicit State(const WorkerLimits& given) : limits(given), eager(Eager(given)) {}

  bool AddThread();
  void Work();
  bool TakeTask(std::unique_lock<std::mutex>& lock, Task& task);

  const WorkerLimits limits;
  const std::size_t eager;
  std::mutex mutex;
  std::condition_variable work;
  std::condition_variable idle;
  std::deque<Task> tasks;
  std::size_t threads = 0;
  std::size_t running = 0;
  bool closed = false;
};

// Needs the lock. One thread more than those that are busy is enough: it starts the next when it takes a
// task.
bool WorkerPool::State::AddThread() {
  if (threads > running || threads >= limits.threads) return threads > 0;
  try {
    std::thread([state = shared_from_this()] { state->Work(); }).detach();
  } catch (const std::system_error&) {
    return threads > 0;  // those that there are will come to it
  }
  ++threads;
  return true;
}

// Waits for a task that may start now; false when the thread is to end.
bool WorkerPool::State::TakeTask(std::unique_lock<std::mutex>& lock, Task& task) {
  const auto end = Clock::now() + limits.idle;
  while (!closed) {
    if (tasks.empty()) {
      if (work.wait_until(lock, end) == std::cv_status::timeout && tasks.empty()) return false;
      continue;
    }
    const auto due = tasks.front().since + limits.patience;
    if (running >= eager && Clock::now() < due) {
      work.wait_until(lock, due);
      continue;
    }
    task = std::move(tasks.front());
    tasks.pop_front();
    return true;
  }
  return false;
}

void WorkerPool::State::Work() {
  std::unique_lock lock(mutex);
  for (Task task; TakeTask(lock, task);) {
    ++running;
    if (!tasks.empty()) AddThread();
    lock.unlock();
    task.run();
    task.run = nullptr;
    lock.lock();
    --running;
    idle.notify_all();
  }
  --threads;
}

WorkerPool::WorkerPool(WorkerLimits limits) : state_(std::make_shared<State>(limits)) {}

WorkerPool::~WorkerPool() {
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
  state_->tasks.clear();
  state_->work.notify_all();
}

bool WorkerPool::Submit(std::function<void()> task) {
  const std::lock_guard lock(state_->mutex);
  if (state_->tasks.size() >= state_->limits.waiting) return false;
  state_->tasks.push_back({std::move(task), Clock::now()});
  if (!state_->AddThread()) {
    state_->tasks.pop_back();
    return false;
  }
  state_->work.notify_one();
  return true;
}

bool WorkerPool::WaitIdle(std::chrono::milliseconds patience) {
  std::unique_lock lock(state_->mutex);
  return state_->idle.wait_for(lock, patience, [&] { return state_->running == 0 && state_->tasks.empty(); });
}

std::size_t WorkerPool::threads() const {
  const std::lock_guard lock(state_->mutex);
  return state_->threads;
}

}  // namespace helix::mcp
