// What a long operation needs from its caller: a way to be stopped and a way to say how far it is.
#pragma once
#include <functional>
#include <stop_token>
#include <string>

namespace helix {

struct Progress {
  double done = 0;
  double total = 0;  // 0: not known
  std::string message;
};

// Copyable and cheap. `progress` may be called from any thread the operation uses, one call at a time.
struct RunContext {
  std::stop_token stop;
  std::function<void(const Progress&)> progress;

  [[nodiscard]] bool Cancelled() const { return stop.stop_requested(); }
  void Report(double done, double total, std::string message) const {
    if (progress) progress({done, total, std::move(message)});
  }
};

}  // namespace helix
