// Requests that are being worked on, so that a cancellation finds them.
#pragma once
#include <cstdint>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>
#include <unordered_map>

namespace helix::mcp {

// Thread-safe.
class InFlight {
 public:
  // `shared`: requests of several clients are in here (HTTP without sessions), whose ids can collide. Then an
  // id is only cancelled when exactly one request has it and none that had it ended in the last five seconds,
  // since some clients cancel what is already answered: a cancellation may be missed, it never hits another
  // client's call.
  explicit InFlight(bool shared) : shared_(shared) {}

  std::stop_source Begin(const std::string& id_key);
  void End(const std::string& id_key, const std::stop_source& source);
  // Unknown and finished ids are ignored.
  void Cancel(const std::string& id_key);
  void CancelAll();

 private:
  bool EndedLately(const std::string& id_key);

  const bool shared_;
  std::mutex mutex_;
  std::unordered_multimap<std::string, std::stop_source> running_;
  std::deque<std::pair<std::int64_t, std::string>> ended_;
};

}  // namespace helix::mcp
