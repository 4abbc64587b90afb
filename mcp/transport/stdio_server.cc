#include "mcp/transport/stdio_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/clock.h"
#include "mcp/transport/fd_writer.h"
#include "mcp/transport/line_reader.h"

namespace helix::mcp {
namespace {

class StdioOutbox : public Outbox {
 public:
  explicit StdioOutbox(int fd) : writer_(fd) {}
  void Send(std::string message) override { writer_.WriteLine(std::move(message)); }
  void Reply(std::string message, int) override { writer_.WriteLine(std::move(message)); }
  void Nothing() override {}
  FdWriter& writer() { return writer_; }

 private:
  FdWriter writer_;
};

// Wakes the reader when stopped.
class StopEvent {
 public:
  explicit StopEvent(std::stop_token stop)
      : fd_(eventfd(0, EFD_CLOEXEC)), on_stop_(std::in_place, std::move(stop), [fd = fd_] { eventfd_write(fd, 1); }) {}
  ~StopEvent() {
    on_stop_.reset();  // waits for a call that is under way, which still writes to the descriptor
    close(fd_);
  }
  StopEvent(const StopEvent&) = delete;
  StopEvent& operator=(const StopEvent&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  const int fd_;
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
};

// How the conversation ended.
enum class End {
  kLeft,     // a stop, or nobody reads the answers any more
  kHungUp,   // the input ended after a silence: the client goes
  kAskedAll  // the input ended with its last message: a script or a file that waits for the answers
};

using std::chrono::milliseconds;

constexpr std::int64_t kSilenceNs = 500'000'000;  // an end that comes later after a message is a client's
constexpr milliseconds kLook{20};                 // how often a wait for calls looks for the reader
constexpr milliseconds kHungUpPatience{250};
constexpr milliseconds kAskedAllPatience{60'000};
constexpr milliseconds kCancelPatience{150};

// POLLERR of a pipe's write end, POLLHUP of a socket: reported without being asked for.
bool IsGone(const pollfd& out) {
  return (out.revents & (POLLERR | POLLHUP)) != 0;
}

// False on a stop, or when nobody reads the answers any more.
bool WaitForInput(int in, int stop_fd, int out) {
  while (true) {
    pollfd wait[3] = {{in, POLLIN, 0}, {stop_fd, POLLIN, 0}, {out, 0, 0}};
    if (poll(wait, 3, -1) < 0 && errno != EINTR) return false;
    if (wait[1].revents != 0 || IsGone(wait[2])) return false;
    if (wait[0].revents != 0) return true;
  }
}

// Waits for `done` as long as there is somebody to answer to.
void WaitWhileRead(int out, int stop_fd, milliseconds patience,
                   const std::function<bool(milliseconds)>& done) {
  for (auto waited = milliseconds{0}; waited < patience && !done(kLook); waited += kLook) {
    pollfd wait[2] = {{stop_fd, POLLIN, 0}, {out, 0, 0}};
    poll(wait, 2, 0);
    if (wait[0].revents != 0 || IsGone(wait[1])) return;
  }
}

End ReadLoop(int in, int out, int stop_fd, LineReader& lines, FdWriter& writer) {
  std::vector<char> buffer(std::size_t{64} << 10);
  auto last_ns = SteadyNowNs();
  while (WaitForInput(in, stop_fd, out)) {
    const auto n = read(in, buffer.data(), buffer.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) {
      lines.Finish();
      return SteadyNowNs() - last_ns < kSilenceNs ? End::kAskedAll : End::kHungUp;
    }
    writer.Cork();
    lines.Feed({buffer.data(), static_cast<std::size_t>(n)});
    writer.Uncork();
    if (writer.broken()) return End::kLeft;
    // Who asks and does not read the answers is not read either: memory is not endless.
    WaitWhileRead(out, stop_fd, std::chrono::hours(24),
                  [&](milliseconds ms) { return writer.WaitForRoom(ms); });
    last_ns = SteadyNowNs();
  }
  return End::kLeft;
}

int Take(int fd, int replacement) {
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (copy >= 0 && replacement >= 0) dup2(replacement, fd);
  return copy;
}

}  // namespace

int TakeStdout() {
  return Take(1, 2);
}

int TakeStdin() {
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int copy = Take(0, null);
  if (null >= 0) close(null);
  return copy;
}

bool ServeStdio(int in, int out, Dispatcher& dispatcher, WorkerPool& workers, std::stop_token stop) {
  auto session = std::make_shared<Session>(false);
  auto outbox = std::make_shared<StdioOutbox>(out);
  LineReader lines(
      [&](std::string_view line) { dispatcher.Receive(session, line, outbox); },
      [&] {
        outbox->Reply(ErrorText("null", {kInvalidRequest, "a message is at most 16 MiB long", nullptr}), 400);
      });
  const StopEvent stopped(std::move(stop));
  auto& writer = outbox->writer();
  const End end = ReadLoop(in, out, stopped.fd(), lines, writer);
  const auto patience = end == End::kAskedAll ? kAskedAllPatience : kHungUpPatience;
  if (end != End::kLeft) {
    WaitWhileRead(out, stopped.fd(), patience, [&](milliseconds ms) { return workers.WaitIdle(ms); });
  }
  dispatcher.Stop(*session);
  const bool ended = workers.WaitIdle(kCancelPatience);
  if (end != End::kLeft) {
    WaitWhileRead(out, stopped.fd(), patience,
                  [&](milliseconds ms) { return writer.Flush(ms) || writer.broken(); });
  }
  return ended;
}

}  // namespace helix::mcp
