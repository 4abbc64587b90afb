#include "core/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/clock.h"
#include "core/process/supervisor.h"

namespace helix::process {
namespace {

// A descriptor of number 3 or higher, closed by its destructor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int raw) : fd_(raw) {
    if (raw >= 0 && raw < 3) {
      fd_ = ::fcntl(raw, F_DUPFD_CLOEXEC, 3);
      ::close(raw);
    }
  }
  ~Fd() { Reset(); }
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    Reset();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  void Reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_ = -1;
};

struct Pipe {
  Fd read;
  Fd write;
};

auto SystemError(const std::string& what, int error) {
  return Fail(ErrorCode::kIo, what + ": " + std::strerror(error));
}

Result<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return SystemError("no pipe", errno);
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

// One int, or nullopt at the end of the pipe.
std::optional<int> ReadInt(int fd) {
  int value = 0;
  ssize_t got = 0;
  while ((got = ::read(fd, &value, sizeof value)) < 0 && errno == EINTR) {
  }
  if (got != sizeof value) return std::nullopt;
  return value;
}

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

Result<Fd> OpenLog(const std::string& path) {
  std::error_code ignored;  // the open below reports what matters
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  Fd log(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (log.get() < 0) return SystemError("the log file " + path + " cannot be opened", errno);
  return log;
}

bool Readable(int fd, Millis timeout) {
  pollfd item{fd, POLLIN, 0};
  return ::poll(&item, 1, static_cast<int>(timeout.count())) > 0;
}

}  // namespace

struct ChildProcess::Impl {
  std::string log_file;
  pid_t supervisor = -1;
  int pid = -1;
  Pipe lifeline;  // our read end stays open, so that a write after the supervisor's end raises no SIGPIPE
  Fd report;
  std::optional<ExitStatus> end;

  void Signal(int number) const {
    const auto byte = static_cast<unsigned char>(number);
    // Fails only when the supervisor is gone, and then the child is too.
    [[maybe_unused]] const ssize_t told = ::write(lifeline.write.get(), &byte, 1);
  }
  void ReadEnd() {
    auto status = ReadInt(report.get());
    end = status ? FromWaitStatus(*status) : ExitStatus{0, 0, false};
    while (::waitpid(supervisor, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
};

ChildProcess::ChildProcess(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (!impl_ || impl_->end) return;
  if (Stop()) return;
  impl_->lifeline.write.Reset();  // the supervisor goes on killing; it must not become a zombie of ours
  ::waitpid(impl_->supervisor, nullptr, WNOHANG);
}

Result<ChildProcess> ChildProcess::Start(const ChildOptions& options) {
  if (options.argv.empty()) return Fail(ErrorCode::kInvalidArgument, "no program to run");
  auto log = OpenLog(options.log_file);
  auto lifeline = MakePipe();
  auto report = MakePipe();
  auto exec_error = MakePipe();
  if (!log) return tl::make_unexpected(log.error());
  if (!lifeline || !report || !exec_error) return SystemError("no pipe", errno);
  const std::vector<char*> argv = Pointers(options.argv);
  const std::vector<char*> env = Pointers(options.env);
  const SupervisorPlan plan{options.argv[0].c_str(),
                            argv.data(),
                            env.data(),
                            options.folder.empty() ? nullptr : options.folder.c_str(),
                            log->get(),
                            lifeline->read.get(),
                            report->write.get(),
                            exec_error->write.get()};
  const pid_t supervisor = ::fork();
  if (supervisor == 0) Supervise(plan);
  if (supervisor < 0) return SystemError("no new process", errno);
  report->write.Reset();
  exec_error->write.Reset();
  auto impl = std::make_unique<Impl>();
  impl->log_file = options.log_file;
  impl->supervisor = supervisor;
  impl->lifeline = std::move(*lifeline);
  impl->report = std::move(report->read);
  impl->pid = ReadInt(impl->report.get()).value_or(-1);
  const auto error = ReadInt(exec_error->read.get());
  ChildProcess child(std::move(impl));
  if (child.impl_->pid < 0) return Fail(ErrorCode::kIo, "no new process for " + options.argv[0]);
  if (error) return SystemError(options.argv[0] + " cannot be run", *error);
  return child;
}

int ChildProcess::pid() const {
  return impl_->pid;
}

std::optional<ExitStatus> ChildProcess::Poll() {
  return Wait(Millis{0});
}

std::optional<ExitStatus> ChildProcess::Wait(Millis timeout, const std::stop_token& stop) {
  if (impl_->end) return impl_->end;
  constexpr Millis kSlice{25};
  const std::int64_t end = SteadyNowNs() + static_cast<std::int64_t>(timeout.count() * 1e6);
  for (;;) {
    const Millis left{static_cast<double>(end - SteadyNowNs()) / 1e6};
    if (Readable(impl_->report.get(), std::max(Millis{0}, std::min(left, kSlice)))) {
      impl_->ReadEnd();
      return impl_->end;
    }
    if (left.count() <= 0 || stop.stop_requested()) return std::nullopt;
  }
}

Result<ExitStatus> ChildProcess::Stop(const StopTimes& times) {
  if (auto end = Poll()) return *end;
  impl_->Signal(SIGTERM);
  if (auto end = Wait(times.after_first_term)) return *end;
  impl_->Signal(SIGTERM);
  if (auto end = Wait(times.after_second_term)) return *end;
  impl_->Signal(SIGKILL);
  if (auto end = Wait(times.after_kill)) return *end;
  return Fail(ErrorCode::kTimeout, "process " + std::to_string(impl_->pid) + " did not end after SIGKILL");
}

std::string ChildProcess::LogTail(std::size_t max_bytes) const {
  return FileTail(impl_->log_file, max_bytes);
}

std::string FileTail(const std::string& path, std::size_t max_bytes) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const auto size = static_cast<std::size_t>(std::max<std::streamoff>(file.tellg(), 0));
  const std::size_t start = size > max_bytes ? size - max_bytes : 0;
  std::string text(size - start, '\0');
  file.seekg(static_cast<std::streamoff>(start));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t line = text.find('\n');
  if (start > 0 && line != std::string::npos) text.erase(0, line + 1);
  return text;
}

}  // namespace helix::process
