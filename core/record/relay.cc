#include "core/record/relay.h"

#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/clock.h"
#include "core/base/json.h"

namespace helix::record {
namespace {

constexpr std::size_t kMostKept = std::size_t{256}
                                  << 20;  // of a reply in the capture; all of it is handed on

double Ms(std::int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

net::IoLimits Limits(std::int64_t stall_ns, const std::stop_token& stop) {
  return {stop, stall_ns, std::numeric_limits<std::int64_t>::max()};
}

void AnswerError(net::ByteStream& client, int status, const std::string& message,
                 const net::IoLimits& limits) {
  const std::string body = DumpJson(Json{{"error", {{"type", "recorder_error"}, {"message", message}}}});
  const std::string reason = status == 504 ? "Gateway Timeout" : "Bad Gateway";
  // The client may be gone; there is nobody left to tell.
  (void)client.Write("HTTP/1.1 " + std::to_string(status) + " " + reason +
                         "\r\nContent-Type: application/json\r\nContent-Length: " +
                         std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body,
                     limits);
}

// Takes the reply's bytes apart for the capture; never touches what is handed on.
void TakeApart(const std::string& raw, Exchange& exchange) {
  const std::size_t end = raw.find("\r\n\r\n");
  if (end == std::string::npos) {
    exchange.response_body = raw;
    return;
  }
  const std::string head = raw.substr(0, end + 4);
  const std::size_t space = head.find(' ');
  if (head.rfind("HTTP/1.", 0) == 0 && space != std::string::npos)
    std::from_chars(head.data() + space + 1, head.data() + std::min(head.size(), space + 4), exchange.status);
  exchange.response_headers = ParseHeaders(head);
  exchange.response_body = raw.substr(end + 4);
  const auto coding = exchange.response_headers.find("transfer-encoding");
  if (coding == exchange.response_headers.end()) {
    const auto length = exchange.response_headers.find("content-length");
    if (length != exchange.response_headers.end() &&
        length->second != std::to_string(exchange.response_body.size()))
      exchange.complete = false;
    return;
  }
  if (exchange.response_body.find("0\r\n\r\n") == std::string::npos) exchange.complete = false;
  exchange.response_body = Unchunk(exchange.response_body);
}

struct Copy {
  std::string raw;
  std::int64_t first_ns = 0;
};

// Whether the reply is whole by its own framing, so that an upstream which keeps its connection open is not
// waited for.
class EndOfReply {
 public:
  bool Reached(const std::string& raw) {
    if (head_ == 0) ReadHead(raw);
    if (head_ == 0) return false;
    if (length_) return raw.size() >= head_ + *length_;
    // The last chunk first: the walk over all chunks is made once.
    return chunked_ && raw.size() >= head_ + 5 && raw.compare(raw.size() - 5, 5, "0\r\n\r\n") == 0 &&
           ChunkedWhole(std::string_view(raw).substr(head_));
  }

 private:
  void ReadHead(const std::string& raw) {
    const std::size_t end = raw.find("\r\n\r\n");
    if (end == std::string::npos || raw.rfind("HTTP/1.", 0) != 0) return;
    const auto headers = ParseHeaders(raw.substr(0, end + 4));
    head_ = end + 4;
    chunked_ = headers.count("transfer-encoding") > 0;
    const auto length = headers.find("content-length");
    std::size_t size = 0;
    if (chunked_ || length == headers.end()) return;
    const std::string& text = length->second;
    if (std::from_chars(text.data(), text.data() + text.size(), size).ec == std::errc()) length_ = size;
  }

  std::size_t head_ = 0;
  bool chunked_ = false;
  std::optional<std::size_t> length_;
};

// Hands on until the reply or the upstream ends. An error names the side that failed.
Status HandOn(net::ByteStream& upstream, net::ByteStream& client, const net::IoLimits& limits, Copy& copy) {
  std::array<char, 65536> piece;
  EndOfReply end;
  while (true) {
    auto got = upstream.Read(piece.data(), piece.size(), limits);
    if (!got) return tl::make_unexpected(got.error());
    if (*got == 0) return {};
    if (copy.first_ns == 0) copy.first_ns = SteadyNowNs();
    const std::string_view bytes(piece.data(), *got);
    if (auto sent = client.Write(bytes, limits); !sent)
      return Fail(ErrorCode::kUnavailable, "the client went away: " + sent.error().message);
    if (copy.raw.size() < kMostKept) copy.raw.append(bytes);
    if (end.Reached(copy.raw)) return {};
  }
}

using Stream = Result<std::unique_ptr<net::ByteStream>>;

// Hands the request on while it is read. What goes wrong with the upstream is kept in `stream`; the client is
// read to its end all the same, or it would not look at the answer.
Status SendRequest(ClientRequest& request, const net::Endpoint& upstream, net::ByteStream& client,
                   const RelayLimits& limits, Stream& stream) {
  const auto to_upstream = Limits(limits.upstream_stall_ns, limits.stop);
  net::Connector connector(upstream, net::SystemResolver(), "");
  stream = connector.Open(to_upstream);
  const std::string host = upstream.BaseUrl().substr(upstream.scheme.size() + 3);
  std::string head = UpstreamHead(request, host);
  const auto send = [&](std::string_view piece) {
    if (!stream) return;
    const bool first = !head.empty();
    if (first) piece = head.append(piece);  // in one packet where they fit into one
    if (auto sent = (*stream)->Write(piece, to_upstream); !sent) stream = tl::make_unexpected(sent.error());
    if (first) head.clear();
  };
  HELIX_TRY(ReadBody(client, Limits(limits.client_stall_ns, limits.stop), request, send));
  if (!head.empty()) send({});
  return {};
}

// The reply, or an answer of our own where there is none.
void ReceiveReply(Stream& stream, net::ByteStream& client, const net::IoLimits& limits, Exchange& exchange) {
  const std::int64_t asked = SteadyNowNs();
  Copy copy;
  Status handed;
  if (stream) {
    handed = HandOn(**stream, client, limits, copy);
  } else {
    handed = tl::make_unexpected(stream.error());
  }
  exchange.complete = handed.has_value() && !copy.raw.empty();
  if (!handed) exchange.error = handed.error().Text();
  if (copy.raw.empty()) {
    if (exchange.error.empty()) exchange.error = "the upstream closed the connection without a reply";
    AnswerError(client, stream && !handed && handed.error().code == ErrorCode::kTimeout ? 504 : 502,
                exchange.error, limits);
  }
  TakeApart(copy.raw, exchange);
  exchange.ttfb_ms = copy.first_ns ? Ms(copy.first_ns - asked) : 0;
}

}  // namespace

Result<Exchange> Relay(ClientRequest request, const net::Endpoint& upstream, net::ByteStream& client,
                       const RelayLimits& limits) {
  Exchange exchange;
  exchange.started_at = UtcTimestamp();
  const std::int64_t start = SteadyNowNs();
  Stream stream;
  if (auto sent = SendRequest(request, upstream, client, limits, stream); !sent)
    return tl::make_unexpected(sent.error());
  ReceiveReply(stream, client, Limits(limits.upstream_stall_ns, limits.stop), exchange);
  exchange.method = std::move(request.method);
  exchange.target = std::move(request.target);
  exchange.request_headers = std::move(request.headers);
  exchange.request_body = request.chunked ? request.Text() : std::move(request.body);
  exchange.total_ms = Ms(SteadyNowNs() - start);
  return exchange;
}

}  // namespace helix::record
