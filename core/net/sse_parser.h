// Incremental parser for text/event-stream (WHATWG HTML, section 9.2). Feed it bytes in any split; it is right for
// CRLF, lone CR, lone LF, a BOM at the start, comments, multi-line data, fields without a space after the colon.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace helix::net {

struct SseEvent {
  std::string event;  // empty: "message"
  std::string data;
  std::string id;
  std::int64_t t_ns = 0;  // when the bytes that completed it arrived
};

// Not thread-safe.
class SseParser {
 public:
  using Sink = std::function<void(const SseEvent&)>;
  explicit SseParser(Sink sink, std::size_t max_event_bytes = std::size_t{64} << 20);

  // Calls the sink for every event that these bytes complete. kParse when one event outgrows the limit.
  Status Feed(std::string_view bytes, std::int64_t t_ns);
  // The stream ended. kProtocol when it ended inside an event: a short stream is never a short success.
  Status Finish();

  [[nodiscard]] std::uint64_t comments() const { return comments_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  Status Line(std::string_view line, std::int64_t t_ns);
  void Dispatch(std::int64_t t_ns);

  Sink sink_;
  std::size_t max_event_bytes_;
  std::string buffer_;  // the unfinished line
  SseEvent pending_;
  bool has_data_ = false;
  bool any_field_ = false;
  bool skip_lf_ = false;  // the last byte was CR: an LF next belongs to it
  int bom_seen_ = 0;      // bytes of a possible BOM swallowed so far; -1 once past the start
  std::uint64_t comments_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace helix::net
