#include "core/record/capture_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/json.h"
#include "core/record/redact.h"

namespace helix::record {
namespace {

Json HeadersJson(const std::multimap<std::string, std::string>& headers) {
  Json out = Json::object();
  for (const auto& [name, value] : HarmlessHeaders(headers)) out[name] = value;
  return out;
}

// The body as JSON when it is JSON, else as text. What is compressed is left out: no key could be found in
// it.
void PutBody(Json& side, const std::string& text, const std::multimap<std::string, std::string>& headers) {
  const auto coding = headers.find("content-encoding");
  if (coding != headers.end() && coding->second != "identity" && !text.empty()) {
    side["body_left_out"] = "content-encoding " + coding->second;
    return;
  }
  if (auto value = ParseJson(text); value && value->is_structured()) {
    side["body"] = std::move(*value);
  } else if (!text.empty()) {
    side["body_text"] = text;
  }
}

Json ToJson(const Exchange& exchange, std::uint64_t seq) {
  const auto secrets = SecretsIn(exchange.request_headers);
  Json request{{"method", exchange.method},
               {"path", RedactTarget(exchange.target)},
               {"headers", HeadersJson(exchange.request_headers)}};
  PutBody(request, Redact(exchange.request_body, secrets), exchange.request_headers);
  Json response{{"status", exchange.status}, {"headers", HeadersJson(exchange.response_headers)}};
  PutBody(response, Redact(exchange.response_body, secrets), exchange.response_headers);
  Json line{{"capture", "helix.capture/1"},
            {"seq", seq},
            {"started_at", exchange.started_at},
            {"ttfb_ms", exchange.status ? Json(exchange.ttfb_ms) : Json(nullptr)},
            {"total_ms", exchange.total_ms},
            {"complete", exchange.complete},
            {"error", exchange.error.empty() ? Json(nullptr) : Json(Redact(exchange.error, secrets))}};
  line["request"] = std::move(request);
  line["response"] = std::move(response);
  return line;
}

}  // namespace

Result<CaptureWriter> CaptureWriter::Open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return Fail(ErrorCode::kIo, "cannot open the capture " + path + ": " + std::strerror(errno),
                "name a file in a folder that you can write");
  return CaptureWriter(fd);
}

CaptureWriter::~CaptureWriter() {
  if (fd_ >= 0) ::close(fd_);
}

Status CaptureWriter::Write(const Exchange& exchange) {
  // All but the number is made outside the lock: other streams must not wait for this one's JSON.
  Json made = ToJson(exchange, 0);
  const std::lock_guard lock(mutex_);
  made["seq"] = written_;
  const std::string line = DumpJson(made) + "\n";
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t n = ::write(fd_, line.data() + at, line.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return Fail(ErrorCode::kIo, std::string("cannot write the capture: ") + std::strerror(errno),
                  "free some space");
    at += static_cast<std::size_t>(n);
  }
  ++written_;
  return {};
}

}  // namespace helix::record
