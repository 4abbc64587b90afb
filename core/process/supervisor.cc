#include "core/process/supervisor.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace helix::process {
namespace {

constexpr int kExecFailed = 127;

void ResetSignals() {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void PointAtNull(int first, int last) {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = first; fd <= last; ++fd) ::dup2(null, fd);
  if (null > 2) ::close(null);
}

// The lifelines of other children were inherited too: while we held one open, its end could not be seen.
void CloseAllBut(const SupervisorPlan& plan) {
  const unsigned kept[] = {static_cast<unsigned>(plan.log_fd), static_cast<unsigned>(plan.lifeline_fd),
                           static_cast<unsigned>(plan.report_fd), static_cast<unsigned>(plan.exec_error_fd)};
  unsigned first = 3;
  for (;;) {
    unsigned next = ~0U;
    for (unsigned fd : kept) {
      if (fd >= first && fd < next) next = fd;
    }
    if (next > first) ::syscall(SYS_close_range, first, next - 1, 0);
    if (next == ~0U) return;
    first = next + 1;
  }
}

[[noreturn]] void RunChild(const SupervisorPlan& plan, pid_t supervisor) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The supervisor may have died between fork and prctl; then the signal will never come.
  if (::getppid() != supervisor) ::_exit(kExecFailed);
  ResetSignals();
  ::dup2(plan.log_fd, 1);
  ::dup2(plan.log_fd, 2);
  ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  if (plan.folder == nullptr || ::chdir(plan.folder) == 0) ::execve(plan.path, plan.argv, plan.envp);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(plan.exec_error_fd, &error, sizeof error);
  ::_exit(kExecFailed);
}

// Sends each byte of the lifeline as a signal to the group; SIGKILL at its end. False once it has ended.
bool ObeyLifeline(int lifeline_fd, pid_t child) {
  unsigned char signal_number = 0;
  const ssize_t got = ::read(lifeline_fd, &signal_number, 1);
  if (got == 1) {
    ::kill(-child, signal_number);
    return true;
  }
  if (got < 0 && errno == EINTR) return true;
  ::kill(-child, SIGKILL);
  return false;
}

bool HasEnded(pid_t child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == child;
}

void WatchUntilEnd(const SupervisorPlan& plan, pid_t child) {
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  pollfd items[2] = {{plan.lifeline_fd, POLLIN, 0}, {pidfd, POLLIN, 0}};
  while (!HasEnded(child)) {
    // Kernels before 5.3 have no pidfd: look every 20 ms there.
    if (::poll(items, 2, pidfd < 0 ? 20 : -1) <= 0) continue;
    if (items[0].revents != 0 && !ObeyLifeline(plan.lifeline_fd, child)) items[0].fd = -1;
  }
}

}  // namespace

void Supervise(const SupervisorPlan& plan) {
  ResetSignals();
  ::setpgid(0, 0);
  PointAtNull(0, 2);
  CloseAllBut(plan);
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) RunChild(plan, self);
  ::close(plan.exec_error_fd);
  ::close(plan.log_fd);
  [[maybe_unused]] ssize_t told = ::write(plan.report_fd, &child, sizeof child);
  if (child < 0) ::_exit(kExecFailed);
  ::setpgid(child, child);
  WatchUntilEnd(plan, child);
  // Not reaped yet, so its number still names this group and no other: whatever it left behind goes now.
  ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  told = ::write(plan.report_fd, &status, sizeof status);
  ::_exit(0);
}

}  // namespace helix::process
