// Incremental reader of one HTTP/1.x reply (RFC 9112). No I/O: bytes in, status, headers and body pieces out,
// so that tests and the fuzzer can cut a reply anywhere. Ambiguous framing is refused, never guessed.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace helix::net {

using Headers = std::multimap<std::string, std::string>;

struct ReplyLimits {
  std::size_t max_body_bytes = std::size_t{256} << 20;
  std::size_t max_header_bytes = std::size_t{64} << 10;  // status line, headers and trailers together
};

// Not thread-safe. Not to be fed again after an error.
class HttpReplyParser {
 public:
  // Returns false to stop: Feed then fails with kCancelled.
  using BodySink = std::function<bool(std::string_view)>;

  HttpReplyParser(ReplyLimits limits, bool reply_to_head) : limits_(limits), reply_to_head_(reply_to_head) {}

  // Takes bytes up to the end of this reply and returns how many it took. kProtocol: not HTTP, conflicting or
  // broken framing, a content-encoding or transfer coding that was not asked for, more than the limits.
  Result<std::size_t> Feed(std::string_view bytes, const BodySink& sink);
  // The connection ended. kProtocol unless the reply is complete or its body may end with the connection.
  Status Finish();

  [[nodiscard]] bool headers_complete() const { return state_ > State::kHeaders; }
  [[nodiscard]] bool complete() const { return state_ == State::kDone; }
  // The body has no length: only the end of the connection ends it, so a cut cannot be told from an end.
  [[nodiscard]] bool ends_with_connection() const { return ends_with_connection_; }
  // The connection may carry another request. Only when complete().
  [[nodiscard]] bool keep_alive() const { return keep_alive_ && !ends_with_connection_; }
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const Headers& headers() const { return headers_; }  // names in lower case

 private:
  enum class State { kStatusLine, kHeaders, kBody, kChunkSize, kChunkData, kChunkEnd, kTrailers, kDone };

  // Takes one line out of `bytes` into line_; false when it is not complete yet.
  Result<bool> TakeLine(std::string_view& bytes);
  Status HandleLine();
  Status StatusLine();
  Status HeaderLine();
  Status EndOfHeaders();
  Status DecideFraming();
  Status ChunkSizeLine();
  Status Body(std::string_view& bytes, const BodySink& sink);

  ReplyLimits limits_;
  bool reply_to_head_;
  State state_ = State::kStatusLine;
  std::string line_;
  bool line_complete_ = true;
  std::size_t header_bytes_ = 0;
  std::size_t body_bytes_ = 0;
  std::uint64_t remaining_ = 0;  // of the body, or of the current chunk
  bool ends_with_connection_ = false;
  bool keep_alive_ = true;
  int status_ = 0;
  Headers headers_;
};

}  // namespace helix::net
