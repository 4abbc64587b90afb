// The one writer of a pipe, socket or file. Lines go out whole and in order, and the caller does not wait for
// a slow reader: what does not fit now is sent by a thread that starts when that first happens.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace helix::mcp {

// Thread-safe. Does not own the descriptor.
class FdWriter {
 public:
  // Above `max_waiting` bytes Write does wait: memory is not endless.
  explicit FdWriter(int fd, std::size_t max_waiting = std::size_t{64} << 20);
  ~FdWriter();

  // Appends LF. False when the reader is gone; then and later nothing is written.
  bool WriteLine(std::string line);
  // Between Cork and Uncork lines are collected and leave together.
  void Cork();
  void Uncork();
  // Waits until less than `max_waiting` bytes wait, or the reader is gone; false when that took longer.
  bool WaitForRoom(std::chrono::milliseconds patience);
  // Waits until everything is out; false when that took longer or the reader is gone.
  bool Flush(std::chrono::milliseconds patience);
  [[nodiscard]] bool broken();

 private:
  enum class Kind { kSocket, kPipe, kOther };
  // Writes what can be written without waiting. Needs the lock.
  void Push();
  void Drain();

  const int fd_;
  const std::size_t max_waiting_;
  Kind kind_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;
  std::size_t sent_ = 0;  // of waiting_
  int corks_ = 0;
  bool broken_ = false;
  bool closing_ = false;
  std::thread drainer_;
};

}  // namespace helix::mcp
