// The folder of one managed server: its log and its slot files.
#pragma once
#include <string>
#include <utility>

#include "core/base/result.h"

namespace helix::backend {

// A folder below the system's temporary one, removed with the object, or `wanted`, which stays. Slot files of a
// large model are gigabytes, and a process that was killed removes nothing: each folder of ours is locked while its
// process lives, and the next one removes those whose lock is free.
class RunFolder {
 public:
  static Result<RunFolder> Make(const std::string& wanted);
  RunFolder() = default;
  ~RunFolder();
  RunFolder(RunFolder&& other) noexcept
      : path_(std::move(other.path_)), lock_fd_(std::exchange(other.lock_fd_, -1)) {}
  RunFolder& operator=(RunFolder&& other) noexcept {
    path_.swap(other.path_);
    std::swap(lock_fd_, other.lock_fd_);
    return *this;
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_fd_ = -1;  // of the folder itself; -1: not ours to remove
};

}  // namespace helix::backend
