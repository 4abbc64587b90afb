// Writes the capture beside the traffic: taking secrets out and making JSON must not delay anybody's first
// byte.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "core/record/capture_writer.h"

namespace helix::record {

// Thread-safe. One thread writes, below the priority of the threads that hand bytes on.
class CaptureQueue {
 public:
  explicit CaptureQueue(CaptureWriter writer);
  ~CaptureQueue();  // writes what is left
  CaptureQueue(const CaptureQueue&) = delete;
  CaptureQueue& operator=(const CaptureQueue&) = delete;

  // Waits while more than kMostWaiting bytes have not been written yet.
  void Put(Exchange exchange);
  // Returns when everything that was put is written or has failed.
  void Drain();

  [[nodiscard]] std::uint64_t written() const;
  // The first error, or empty.
  [[nodiscard]] std::string error() const;

  static constexpr std::size_t kMostWaiting = std::size_t{64} << 20;

 private:
  void Work();

  CaptureWriter writer_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable filled_, emptied_;
  std::deque<Exchange> waiting_;
  std::size_t waiting_bytes_ = 0;  // the one that is being written included
  bool end_ = false;
  std::uint64_t written_ = 0;
  std::string error_;
  std::thread thread_;
};

}  // namespace helix::record
