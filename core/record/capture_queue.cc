#include "core/record/capture_queue.h"

#include <utility>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace helix::record {
namespace {

std::size_t SizeOf(const Exchange& exchange) {
  return exchange.request_body.size() + exchange.response_body.size() + sizeof(Exchange);
}

// Where threads have no priority of their own the writer competes as any other.
void StepBack() {
#ifdef __linux__
  constexpr int kBelowNormal = 10;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kBelowNormal);
#endif
}

}  // namespace

CaptureQueue::CaptureQueue(CaptureWriter writer) : writer_(std::move(writer)), thread_([this] { Work(); }) {}

CaptureQueue::~CaptureQueue() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  filled_.notify_all();
  thread_.join();
}

void CaptureQueue::Put(Exchange exchange) {
  std::unique_lock lock(mutex_);
  emptied_.wait(lock, [this] { return waiting_bytes_ <= kMostWaiting; });
  waiting_bytes_ += SizeOf(exchange);
  waiting_.push_back(std::move(exchange));
  filled_.notify_one();
}

void CaptureQueue::Drain() {
  std::unique_lock lock(mutex_);
  emptied_.wait(lock, [this] { return waiting_bytes_ == 0; });
}

std::uint64_t CaptureQueue::written() const {
  const std::lock_guard lock(mutex_);
  return written_;
}

std::string CaptureQueue::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void CaptureQueue::Work() {
  StepBack();
  std::unique_lock lock(mutex_);
  while (true) {
    filled_.wait(lock, [this] { return end_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Exchange exchange = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const Status done = writer_.Write(exchange);
    lock.lock();
    if (done) {
      ++written_;
    } else if (error_.empty()) {
      error_ = done.error().Text();
    }
    waiting_bytes_ -= SizeOf(exchange);
    emptied_.notify_all();
  }
}

}  // namespace helix::record
