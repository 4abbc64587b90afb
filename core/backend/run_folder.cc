#include "core/backend/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace helix::backend {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "helix-llama-";
constexpr std::time_t kNewSeconds = 60;  // its process may be on the way to the lock

// `wait` is 0 or LOCK_NB, which gives a folder up whose process lives.
int OpenLocked(const std::string& folder, int wait) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || ::flock(fd, LOCK_EX | wait) == 0) return fd;
  ::close(fd);
  return -1;
}

void RemoveAbandoned(const fs::path& temporary) {
  std::error_code ignored;
  for (fs::directory_iterator at(temporary, ignored), end; at != end; at.increment(ignored)) {
    const std::string folder = at->path().string();
    if (at->path().filename().string().rfind(kName, 0) != 0) continue;
    const int fd = OpenLocked(folder, LOCK_NB);
    if (fd < 0) continue;
    struct stat facts {};
    const bool known = ::fstat(fd, &facts) == 0 && facts.st_uid == ::geteuid();
    if (known && std::time(nullptr) - facts.st_mtime >= kNewSeconds) fs::remove_all(folder, ignored);
    ::close(fd);
  }
}

}  // namespace

Result<RunFolder> RunFolder::Make(const std::string& wanted) {
  RunFolder folder;
  std::error_code error;
  if (!wanted.empty()) {
    fs::create_directories(wanted, error);
    folder.path_ = wanted;
  } else {
    const fs::path temporary = fs::temp_directory_path(error);
    RemoveAbandoned(temporary);
    std::string name = (temporary / (std::string(kName) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) error = std::error_code(errno, std::generic_category());
    folder.path_ = name;
    // Another start may hold it for the moment in which it looks whether the folder is abandoned.
    if (!error && (folder.lock_fd_ = OpenLocked(name, 0)) < 0)
      error = std::error_code(errno, std::generic_category());
  }
  if (!error) fs::create_directories(folder.path_ + "/slots", error);
  if (error) return Fail(ErrorCode::kIo, "no folder for the server's log: " + error.message());
  return folder;
}

RunFolder::~RunFolder() {
  if (lock_fd_ < 0) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  ::close(lock_fd_);
}

}  // namespace helix::backend
