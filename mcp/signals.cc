#include "mcp/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace helix::mcp {
namespace {

int wake_pipe[2] = {-1, -1};
volatile std::sig_atomic_t seen = 0;

void OnSignal(int number) {
  if (seen != 0) _exit(128 + number);
  seen = 1;
  const char byte = 0;
  [[maybe_unused]] const auto ignored = write(wake_pipe[1], &byte, 1);
}

void WaitForSignal(std::stop_source source) {
  char byte = 0;
  while (read(wake_pipe[0], &byte, 1) < 0) {
  }
  source.request_stop();
}

}  // namespace

std::stop_token StopOnSignals() {
  std::stop_source source;
  std::signal(SIGPIPE, SIG_IGN);
  if (pipe2(wake_pipe, O_CLOEXEC) != 0) return source.get_token();
  std::thread(WaitForSignal, source).detach();
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    action.sa_handler = OnSignal;
    sigaction(number, &action, nullptr);
  }
  return source.get_token();
}

}  // namespace helix::mcp
