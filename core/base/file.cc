#include "core/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace helix {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > 2) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

tl::unexpected<Error> Errno(const std::string& what, const std::string& path) {
  ErrorCode code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo;
  return Fail(code, "cannot " + what + " " + path + ": " + std::strerror(errno));
}

Status WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Errno("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

std::string TemporaryName(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return path + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(counter++);
}

Status SyncFolder(const std::filesystem::path& folder) {
  Descriptor dir(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (dir.get() < 0 || ::fsync(dir.get()) != 0) return Errno("sync", folder.string());
  return {};
}

}  // namespace

Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes) {
  std::string bytes;
  HELIX_TRY(ReadFileInto(path, bytes, max_bytes));
  return bytes;
}

Status ReadFileInto(const std::string& path, std::string& bytes, std::size_t max_bytes) {
  bytes.clear();
  Descriptor file(path == "-" ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Errno("open", path);
  // Room for the whole file and for the padding that a parser wants behind it: a large file is copied once.
  struct stat about {};
  if (::fstat(file.get(), &about) == 0 && S_ISREG(about.st_mode))
    bytes.reserve(std::min(static_cast<std::size_t>(about.st_size), max_bytes) + 128);
  char buffer[1 << 16];
  for (;;) {
    ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Errno("read", path);
    if (n == 0) return {};
    bytes.append(buffer, static_cast<std::size_t>(n));
    if (bytes.size() > max_bytes) {
      return Fail(ErrorCode::kInvalidArgument, path + " is larger than " + std::to_string(max_bytes) +
                                                   " bytes, the most this command reads");
    }
  }
}

Status WriteFileAtomic(const std::string& path, std::string_view bytes, unsigned mode) {
  std::filesystem::path target(path);
  std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  std::error_code ec;
  std::filesystem::create_directories(folder, ec);
  if (ec) return Fail(ErrorCode::kIo, "cannot create the folder " + folder.string() + ": " + ec.message());
  std::string temporary = TemporaryName(path);
  Status written = [&]() -> Status {
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (file.get() < 0) return Errno("create", temporary);
    if (auto s = WriteAll(file.get(), bytes, temporary); !s) return s;
    if (::fsync(file.get()) != 0) return Errno("sync", temporary);
    return {};
  }();
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) written = Errno("rename onto", path);
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  return SyncFolder(folder);
}

}  // namespace helix
