// Claude Code's session logs: JSON lines, one per content block, so that one reply repeats.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/consistency/session_turn.h"

namespace helix::consistency {

struct SessionLog {
  std::vector<SessionTurn> turns;  // each reply once, in the order of its first line
  std::uint64_t lines = 0;
  std::uint64_t repeated = 0;    // lines of a reply that was there already
  std::uint64_t unreadable = 0;  // lines with a usage that are not JSON
};

// Collects turns over any number of files; a reply (message id and request id) that came in an earlier file
// is not counted again. Of repeated lines the last one's output count holds. Not thread-safe.
class SessionLogReader {
 public:
  SessionLogReader();
  ~SessionLogReader();
  SessionLogReader(const SessionLogReader&) = delete;
  SessionLogReader& operator=(const SessionLogReader&) = delete;

  // Reads the text of one file. `text` grows by a few bytes of padding that the JSON parser wants behind it.
  void Add(std::string& text, const std::string& fallback_session);
  SessionLog Take() { return std::move(log_); }

 private:
  struct Parser;
  void Line(const char* begin, std::size_t size, const std::string& fallback_session);
  void Keep(SessionTurn turn);

  Parser* parser_;
  SessionLog log_;
  std::unordered_map<std::string, std::size_t> seen_;
};

}  // namespace helix::consistency
