// Incremental parser for text/event-stream (WHATWG HTML, section 9.2.6). Feed it bytes in any split; it is
// right for CRLF, lone CR, lone LF, a BOM at the start, comments, multi-line data, fields without a space
// after the colon. Two readings go beyond the standard, because a measurement must not lose them: a stream
// that ends inside an event or holds no event at all is an error, and a field named "error" (llama-server
// before 2026) becomes an event of that type instead of being ignored.
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
  std::string id;         // the last id seen so far in the stream
  std::int64_t t_ns = 0;  // when the bytes that completed it arrived
};

// Not thread-safe. After an error the parser stays in it: every later call returns the same error.
class SseParser {
 public:
  using Sink = std::function<void(const SseEvent&)>;
  explicit SseParser(Sink sink, std::size_t max_event_bytes = std::size_t{64} << 20);

  // Calls the sink for every event that these bytes complete. kParse when one event outgrows the limit.
  Status Feed(std::string_view bytes, std::int64_t t_ns);
  // The stream ended. kProtocol when it ended inside an event or held none: a short stream is never a short
  // success.
  Status Finish();

  [[nodiscard]] std::uint64_t comments() const { return comments_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  std::string_view SkipBom(std::string_view bytes);
  void Line(std::string_view line, std::int64_t t_ns);
  void Field(std::string_view name, std::string_view value);
  void Dispatch(std::int64_t t_ns);
  [[nodiscard]] bool TooBig(std::size_t more) const;
  Status Outgrown();

  Sink sink_;
  std::size_t max_event_bytes_;
  std::string buffer_;  // the unfinished line
  SseEvent pending_;
  bool has_data_ = false;
  bool any_field_ = false;
  bool skip_lf_ = false;      // the last byte was CR: an LF next belongs to it
  std::size_t bom_seen_ = 0;  // bytes of a possible BOM held back so far
  bool at_start_ = true;
  bool outgrown_ = false;
  std::uint64_t comments_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace helix::net
