#include "mcp/transport/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/base/clock.h"

namespace helix::mcp {
namespace {

using std::chrono::milliseconds;

void Until(const std::function<bool()>& condition) {
  for (int i = 0; i < 10'000 && !condition(); ++i) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_TRUE(condition());
}

WorkerLimits Small() {
  WorkerLimits limits;
  limits.eager = 2;
  limits.idle = milliseconds(50);
  return limits;
}

TEST(WorkerPool, HasNoThreadsBeforeATaskAndNoneAfter) {
  WorkerPool pool(Small());
  EXPECT_EQ(pool.threads(), 0U);
  std::atomic<int> done{0};
  ASSERT_TRUE(pool.Submit([&] { ++done; }));
  ASSERT_TRUE(pool.WaitIdle(milliseconds(5000)));
  EXPECT_EQ(done, 1);
  Until([&] { return pool.threads() == 0; });
}

TEST(WorkerPool, StartsFewThreadsForABurstOfQuickTasks) {
  WorkerPool pool(Small());
  std::atomic<int> done{0};
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(pool.Submit([&] {
      for (const auto end = SteadyNowNs() + 10'000; SteadyNowNs() < end;) {
      }
      ++done;
    }));
  }
  EXPECT_LE(pool.threads(), 16U) << "500 tasks of 10 us do not need 64 threads";
  ASSERT_TRUE(pool.WaitIdle(milliseconds(20'000)));
  EXPECT_EQ(done, 500);
}

TEST(WorkerPool, DoesNotLetTasksThatWaitHoldUpOthers) {
  WorkerPool pool(Small());
  std::atomic<bool> end{false};
  std::atomic<int> waiting{0};
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(pool.Submit([&] {
      ++waiting;
      while (!end) std::this_thread::sleep_for(milliseconds(1));
    }));
  }
  Until([&] { return waiting == 30; });
  std::atomic<bool> quick{false};
  ASSERT_TRUE(pool.Submit([&] { quick = true; }));
  Until([&] { return quick.load(); });
  end = true;
  EXPECT_TRUE(pool.WaitIdle(milliseconds(5000)));
}

TEST(WorkerPool, KeepsItsLimits) {
  WorkerLimits limits = Small();
  limits.threads = 3;
  limits.waiting = 4;
  WorkerPool pool(limits);
  std::atomic<bool> end{false};
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  const auto task = [&] {
    most = std::max(most.load(), ++running);
    while (!end) std::this_thread::sleep_for(milliseconds(1));
    --running;
  };
  int taken = 0;
  for (int i = 0; i < 3; ++i) {
    taken += pool.Submit(task) ? 1 : 0;
    Until([&] { return running == taken; });
  }
  for (int i = 0; i < 10; ++i) taken += pool.Submit(task) ? 1 : 0;
  EXPECT_EQ(taken, 7) << "three run and four wait";
  EXPECT_FALSE(pool.WaitIdle(milliseconds(20)));
  end = true;
  EXPECT_TRUE(pool.WaitIdle(milliseconds(5000)));
  EXPECT_LE(most, 3);
}

TEST(WorkerPool, ForgetsWhatWaitsWhenItIsDestroyed) {
  std::atomic<bool> end{false};
  std::atomic<bool> entered{false};
  std::atomic<bool> left{false};
  std::atomic<int> ran{0};
  {
    WorkerLimits limits = Small();
    limits.threads = 1;
    WorkerPool pool(limits);
    ASSERT_TRUE(pool.Submit([&] {
      entered = true;
      while (!end) std::this_thread::sleep_for(milliseconds(1));
      left = true;
    }));
    Until([&] { return entered.load(); });
    ASSERT_TRUE(pool.Submit([&] { ++ran; }));
  }
  end = true;
  Until([&] { return left.load(); });
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(ran, 0);
}

}  // namespace
}  // namespace helix::mcp
