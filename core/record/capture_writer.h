// The capture: one exchange a line, format "helix.capture/1" (docs/diagnosis.md).
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace helix::record {

struct Exchange {
  std::string started_at;  // UTC
  std::string method;
  std::string target;
  std::multimap<std::string, std::string> request_headers;  // names in lower case
  std::string request_body;
  int status = 0;  // 0: the upstream gave no reply
  std::multimap<std::string, std::string> response_headers;
  std::string response_body;  // chunked framing taken off
  double ttfb_ms = 0;         // from the last request byte sent to the first response byte; 0 without a reply
  double total_ms = 0;
  bool complete = false;  // the reply ended as its framing says and the client took all of it
  std::string error;      // what went wrong, in our words
};

// Thread-safe. The file is made readable for its owner only; secrets are taken out before anything is
// written.
class CaptureWriter {
 public:
  // Appends to `path`. kIo when it cannot be opened.
  static Result<CaptureWriter> Open(const std::string& path);
  CaptureWriter(CaptureWriter&& other) noexcept : fd_(other.fd_), written_(other.written_) { other.fd_ = -1; }
  ~CaptureWriter();

  Status Write(const Exchange& exchange);

 private:
  explicit CaptureWriter(int fd) : fd_(fd) {}
  int fd_;
  std::uint64_t written_ = 0;
  std::mutex mutex_;
};

}  // namespace helix::record
