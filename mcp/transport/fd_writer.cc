#include "mcp/transport/fd_writer.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace helix::mcp {
namespace {

bool CanWrite(int fd, int patience_ms) {
  pollfd wait{fd, POLLOUT, 0};
  return poll(&wait, 1, patience_ms) > 0;
}

}  // namespace

FdWriter::FdWriter(int fd, std::size_t max_waiting)
    : fd_(fd), max_waiting_(max_waiting), kind_(Kind::kOther) {
  struct stat what {};
  if (fstat(fd, &what) != 0) return;
  if (S_ISSOCK(what.st_mode)) kind_ = Kind::kSocket;
  if (S_ISFIFO(what.st_mode)) kind_ = Kind::kPipe;
}

FdWriter::~FdWriter() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (drainer_.joinable()) drainer_.join();
}

void FdWriter::Push() {
  while (!broken_ && sent_ < waiting_.size()) {
    const char* data = waiting_.data() + sent_;
    std::size_t size = waiting_.size() - sent_;
    ssize_t n = 0;
    if (kind_ == Kind::kSocket) {
      n = send(fd_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    } else {
      // A pipe that is ready takes PIPE_BUF bytes without waiting; making it non-blocking would change it for
      // every process that shares it.
      if (kind_ == Kind::kPipe) {
        size = std::min<std::size_t>(size, PIPE_BUF);
        if (!CanWrite(fd_, 0)) return;
      }
      n = write(fd_, data, size);
    }
    if (n >= 0) {
      sent_ += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (errno != EINTR) {
      broken_ = true;
    }
  }
  waiting_.clear();
  sent_ = 0;
}

void FdWriter::Drain() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closing_ || (corks_ == 0 && !waiting_.empty()); });
    if (closing_) return;
    lock.unlock();
    CanWrite(fd_, 100);
    lock.lock();
    if (corks_ == 0) Push();
    changed_.notify_all();
  }
}

bool FdWriter::WriteLine(std::string line) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return broken_ || corks_ > 0 || waiting_.size() - sent_ < max_waiting_; });
  if (broken_) return false;
  line.push_back('\n');
  if (waiting_.empty()) {
    waiting_ = std::move(line);
  } else {
    waiting_.append(line);
  }
  if (corks_ > 0 && waiting_.size() < (std::size_t{256} << 10)) return true;
  Push();
  if (!waiting_.empty() && !drainer_.joinable()) drainer_ = std::thread([this] { Drain(); });
  if (!waiting_.empty()) changed_.notify_all();
  return !broken_;
}

void FdWriter::Cork() {
  const std::lock_guard lock(mutex_);
  ++corks_;
}

void FdWriter::Uncork() {
  const std::lock_guard lock(mutex_);
  --corks_;
  if (corks_ > 0 || waiting_.empty()) return;
  Push();
  if (waiting_.empty()) return;
  if (!drainer_.joinable()) drainer_ = std::thread([this] { Drain(); });
  changed_.notify_all();
}

bool FdWriter::WaitForRoom(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return broken_ || waiting_.size() - sent_ < max_waiting_; });
}

bool FdWriter::Flush(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return broken_ || waiting_.empty(); }) && !broken_;
}

bool FdWriter::broken() {
  const std::lock_guard lock(mutex_);
  return broken_;
}

}  // namespace helix::mcp
