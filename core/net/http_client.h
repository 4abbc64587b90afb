// One HTTP request at a time over a kept-alive connection, with a steady-clock reading per received chunk.
// TLS is verified; redirects are never followed; no proxy variable is read; replies are asked for
// uncompressed (accept-encoding: identity), since a compressing hop would change the timing, and a compressed
// reply is an error.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/base/units.h"
#include "core/net/resolver.h"

namespace helix::net {

struct HttpRequest {
  std::string method = "GET";
  std::string path = "/";  // origin-form, with query
  std::multimap<std::string, std::string>
      headers;  // host, length, encoding and connection are set by the client
  std::string body;
  Millis stall_timeout{60'000};  // longest silence while waiting for or reading the reply
  Millis total_timeout{600'000};
  std::size_t max_bytes = std::size_t{256} << 20;  // of the body
  // The request may be sent again when a kept-alive connection turns out dead before one byte of reply came.
  // GET and HEAD always may.
  bool safe_to_resend = false;
};

struct HttpResponse {
  int status = 0;
  std::multimap<std::string, std::string> headers;  // names in lower case
  std::string body;                                 // empty when a sink took the bytes
  std::int64_t t_send_ns = 0;     // before the first byte was written, on an open connection
  std::int64_t t_headers_ns = 0;  // when the status line and headers were complete
  std::int64_t t_end_ns = 0;
  bool connection_reused = false;  // it was open before this request (an earlier one, or Connect)
  // The body had no length: it ended with the connection, so a cut reply looks the same as a whole one.
  bool ended_by_close = false;
};

// Gets each piece of the body as it arrives, with the clock reading taken first thing. Return false to stop:
// Send then fails with kCancelled.
using ChunkSink = std::function<bool(std::string_view bytes, std::int64_t t_ns)>;

struct HttpClientOptions {
  Millis connect_timeout{5000};  // resolving, connecting and the TLS handshake
  std::string ca_file;           // PEM file of trusted roots; empty: the system's
  Resolver resolver;             // empty: the system's; asked at most once
};

// Not thread-safe: one client per thread. Cancelling `context.stop` ends a silent read within 50 ms. After an
// error the connection is closed and the next request opens a new one.
class HttpClient {
 public:
  // `base_url`: scheme://host[:port], nothing after (see endpoint_policy.h). Connects lazily. A malformed URL
  // is reported by the first call. Whether the endpoint may be called is CheckEndpoint's business, not ours.
  explicit HttpClient(std::string base_url, HttpClientOptions options = {});
  ~HttpClient();
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;

  // Opens the connection now, so that set-up is not part of the next request's time. Nothing to do when it is
  // open.
  Status Connect(const RunContext& context);
  // Any HTTP status is a response. Errors: kUnavailable (no connection, or it broke), kTimeout, kCancelled,
  // kProtocol (broken or truncated reply, a compressed one, one beyond max_bytes), kInvalidArgument (the
  // request).
  Result<HttpResponse> Send(const HttpRequest& request, const RunContext& context,
                            const ChunkSink& sink = {});
  void Close();

  [[nodiscard]] const std::string& base_url() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace helix::net
