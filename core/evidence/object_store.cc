#include "core/evidence/object_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "core/base/file.h"
#include "core/evidence/digest.h"

namespace helix::evidence {
namespace {

constexpr const char* kFormat = "helix-objects 1 sha256\n";

// Owns a descriptor; close() of a written file is checked by Close.
class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  bool Close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

tl::unexpected<Error> IoError(const std::string& what) {
  std::string hint =
      errno == ENOSPC ? "free space on the report folder's disk, or name another with --report-dir" : "";
  return Fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, what + ": " + std::strerror(errno),
              hint);
}

std::string Relative(const std::string& digest) {
  return "objects/" + digest.substr(0, 2) + "/" + digest.substr(2);
}

Result<std::string> ReadAll(int fd, const std::string& digest) {
  std::string bytes;
  char buffer[1 << 16];
  for (;;) {
    ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return IoError("cannot read object " + digest);
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(n));
  }
}

tl::unexpected<Error> NotADigest(const std::string& digest) {
  return Fail(ErrorCode::kInvalidArgument,
              "expected 64 lower-case hexadecimal digits, got \"" + digest.substr(0, 80) + "\"");
}

bool OldEnough(int dir, const char* name, std::int64_t min_age_s) {
  struct stat info {};
  if (::fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return false;
  return std::time(nullptr) - info.st_mtime >= min_age_s;
}

// Names in a folder below `root`, without "." and "..".
std::vector<std::string> Names(int root, const std::string& folder) {
  std::vector<std::string> out;
  int fd = ::openat(root, folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return out;
  DIR* dir = ::fdopendir(fd);
  if (dir == nullptr) {
    ::close(fd);
    return out;
  }
  while (const dirent* entry = ::readdir(dir)) {
    if (entry->d_name[0] != '.') out.emplace_back(entry->d_name);
  }
  ::closedir(dir);
  return out;
}

Status CheckFormat(const std::string& folder) {
  auto format = ReadFile(folder + "/FORMAT", 4096);
  if (!format) return tl::make_unexpected(format.error());
  if (*format == kFormat) return {};
  return Fail(ErrorCode::kRefused, folder + " holds a store of another format: " + format->substr(0, 60),
              "use the version of helix-perf-cache that wrote it, or another --report-dir");
}

tl::unexpected<Error> ReadOnly() {
  return Fail(ErrorCode::kRefused, "this store was opened for reading only");
}

}  // namespace

struct ObjectStore::Impl {
  std::string folder;
  StoreFaults faults;
  int root = -1;
  bool read_only = false;
  ~Impl() {
    if (root >= 0) ::close(root);
  }

  Status WriteAll(int fd, std::string_view bytes) const {
    while (!bytes.empty()) {
      long n = faults.write ? faults.write(fd, bytes.data(), bytes.size())
                            : ::write(fd, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return IoError("cannot write an object");
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
  }

  Status WriteTemporary(const std::string& name, std::string_view bytes) const {
    Fd file(::openat(root, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400));
    if (file.get() < 0) return IoError("cannot create " + name);
    if (auto s = WriteAll(file.get(), bytes); !s) return s;
    if (!file.Close()) return IoError("cannot finish " + name);
    return {};
  }

  // Renaming over an equal object is harmless, and its new time protects it from a sweep that is under way.
  Status Place(const std::string& digest, std::string_view bytes) const {
    static std::atomic<unsigned> counter{0};
    std::string temporary = "tmp/" + std::to_string(::getpid()) + "." + std::to_string(counter++);
    Status status = WriteTemporary(temporary, bytes);
    if (status) {
      std::string parent = "objects/" + digest.substr(0, 2);
      if (::mkdirat(root, parent.c_str(), 0700) != 0 && errno != EEXIST)
        status = IoError("cannot create " + parent);
    }
    if (status && ::renameat(root, temporary.c_str(), root, Relative(digest).c_str()) != 0) {
      status = IoError("cannot place object " + digest);
    }
    if (!status) ::unlinkat(root, temporary.c_str(), 0);
    return status;
  }

  // Between the look at its age and its end a writer may have placed the object anew. It is taken aside first
  // and looked at again; a young one goes back.
  [[nodiscard]] bool Remove(const std::string& digest, std::int64_t min_age_s) const {
    std::string aside = "tmp/sweep." + std::to_string(::getpid());
    if (::renameat(root, Relative(digest).c_str(), root, aside.c_str()) != 0) return false;
    if (OldEnough(root, aside.c_str(), min_age_s)) return ::unlinkat(root, aside.c_str(), 0) == 0;
    ::renameat(root, aside.c_str(), root, Relative(digest).c_str());
    return false;
  }

  void Quarantine(const std::string& digest) const {
    ::mkdirat(root, "quarantine", 0700);
    ::renameat(root, Relative(digest).c_str(), root, ("quarantine/" + digest).c_str());
  }
};

ObjectStore::ObjectStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ObjectStore::~ObjectStore() = default;
ObjectStore::ObjectStore(ObjectStore&&) noexcept = default;
ObjectStore& ObjectStore::operator=(ObjectStore&&) noexcept = default;

const std::string& ObjectStore::folder() const {
  return impl_->folder;
}

Result<ObjectStore> ObjectStore::Open(const std::string& folder, StoreFaults faults) {
  std::error_code ec;
  std::filesystem::create_directories(folder + "/objects", ec);
  if (!ec) std::filesystem::create_directories(folder + "/tmp", ec);
  if (!ec) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ec);
  if (ec) return Fail(ErrorCode::kIo, "cannot create the store " + folder + ": " + ec.message());
  if (auto format = CheckFormat(folder); !format) {
    if (format.error().code != ErrorCode::kNotFound) return tl::make_unexpected(format.error());
    HELIX_TRY(WriteFileAtomic(folder + "/FORMAT", kFormat));
  }
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  impl->faults = std::move(faults);
  impl->root = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (impl->root < 0) return IoError("cannot open the store " + folder);
  return ObjectStore(std::move(impl));
}

Result<ObjectStore> ObjectStore::OpenReadOnly(const std::string& folder) {
  HELIX_TRY(CheckFormat(folder));
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  impl->read_only = true;
  impl->root = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (impl->root < 0) return IoError("cannot open the store " + folder);
  return ObjectStore(std::move(impl));
}

Result<std::string> ObjectStore::Put(std::string_view bytes) {
  if (impl_->read_only) return ReadOnly();
  std::string digest = Sha256Hex(bytes);
  HELIX_TRY(impl_->Place(digest, bytes));
  return digest;
}

bool ObjectStore::Has(const std::string& digest) const {
  return DigestFromHex(digest) &&
         ::faccessat(impl_->root, Relative(digest).c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<std::string> ObjectStore::Get(const std::string& digest) const {
  if (!DigestFromHex(digest)) return NotADigest(digest);
  Fd file(::openat(impl_->root, Relative(digest).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (file.get() < 0) return IoError("cannot open object " + digest);
  auto bytes = ReadAll(file.get(), digest);
  if (!bytes || Sha256Hex(*bytes) == digest) return bytes;
  std::string moved = impl_->read_only ? "" : "; it was moved to quarantine/";
  if (!impl_->read_only) impl_->Quarantine(digest);
  return Fail(ErrorCode::kIo, "object " + digest + " does not hash to its name" + moved,
              "restore the store from a copy, or measure again");
}

Status ObjectStore::Sync() {
  if (impl_->read_only) return ReadOnly();
  if (::syncfs(impl_->root) != 0) return IoError("cannot sync the store");
  return {};
}

Result<std::vector<std::string>> ObjectStore::List() const {
  std::vector<std::string> out;
  for (const auto& prefix : Names(impl_->root, "objects")) {
    for (const auto& rest : Names(impl_->root, "objects/" + prefix)) {
      if (DigestFromHex(prefix + rest)) out.push_back(prefix + rest);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<std::size_t> ObjectStore::Sweep(const std::vector<std::string>& keep, std::int64_t min_age_s) {
  if (impl_->read_only) return ReadOnly();
  auto all = List();
  if (!all) return tl::make_unexpected(all.error());
  std::size_t removed = 0;
  for (const auto& digest : *all) {
    if (std::binary_search(keep.begin(), keep.end(), digest)) continue;
    if (!OldEnough(impl_->root, Relative(digest).c_str(), min_age_s)) continue;
    if (impl_->Remove(digest, min_age_s)) ++removed;
  }
  for (const auto& name : Names(impl_->root, "tmp")) {
    std::string path = "tmp/" + name;
    if (OldEnough(impl_->root, path.c_str(), min_age_s)) ::unlinkat(impl_->root, path.c_str(), 0);
  }
  return removed;
}

}  // namespace helix::evidence
