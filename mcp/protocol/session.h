// What is remembered of one connection.
#pragma once
#include <mutex>
#include <optional>
#include <string>

#include "mcp/protocol/in_flight.h"
#include "mcp/protocol/versions.h"

namespace helix::mcp {

// Thread-safe. HTTP without sessions has one for all clients (`shared`), which remembers nothing but the
// requests being worked on.
class Session {
 public:
  explicit Session(bool shared) : in_flight(shared), shared_(shared) {}

  void Initialized(std::string_view version) {
    if (shared_) return;
    const std::lock_guard lock(mutex_);
    version_ = version;
  }
  // Empty before the handshake.
  [[nodiscard]] std::string Version() const {
    const std::lock_guard lock(mutex_);
    return version_;
  }
  void SetLogLevel(const std::string& level) {
    if (shared_) return;
    const std::lock_guard lock(mutex_);
    log_level_ = level;
  }
  [[nodiscard]] std::optional<std::string> LogLevel() const {
    const std::lock_guard lock(mutex_);
    return log_level_;
  }

  InFlight in_flight;

 private:
  const bool shared_;
  mutable std::mutex mutex_;
  std::string version_;
  std::optional<std::string> log_level_;
};

}  // namespace helix::mcp
