// HTTP/1.1 requests out of a byte stream, strictly: what two parsers could read differently is refused, so
// that no part of a request can pass as the next one. RFC 9112.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "mcp/protocol/http_binding.h"

namespace helix::mcp {

struct HttpLimits {
  std::size_t head_bytes = 32 * 1024;
  std::size_t headers = 128;
  std::size_t body_bytes = std::size_t{4} << 20;
};

struct HttpRequest {
  std::string method;
  std::string path;  // without the query
  Headers headers;
  std::string body;
  bool keep_alive = true;
  bool http_1_0 = false;
  bool has_body = false;  // something follows the head
  bool expects_continue = false;
};

// Not thread-safe. One request at a time: after kRequest take it, and call Next for the following one.
class HttpParser {
 public:
  enum class State {
    kHead,     // the head is not complete
    kBody,     // the head is there (request() has it), the body is not
    kRequest,  // all of it is there
    kError,    // status() and reason() say why; nothing more can be read from this connection
  };

  explicit HttpParser(HttpLimits limits = {}) : limits_(limits) {}

  // Looks at `input` and removes from its front what has been used.
  State Parse(std::string& input);
  void Next();

  [[nodiscard]] HttpRequest& request() { return request_; }
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  bool ParseHead(std::string& input);
  bool ParseRequestLine(std::string_view line);
  bool ParseHeader(std::string_view line);
  bool ParseFraming();
  bool ParseChunks(std::string& input);
  bool ParseBody(std::string& input);
  bool Fail(int status, std::string reason);

  const HttpLimits limits_;
  HttpRequest request_;
  State state_ = State::kHead;
  int status_ = 0;
  std::string reason_;
  std::size_t body_left_ = 0;
  std::size_t scanned_ = 0;  // of the head, so that a slow head is not searched again and again
  bool chunked_ = false;
  bool trailer_ = false;
};

}  // namespace helix::mcp
