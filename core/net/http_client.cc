#include "core/net/http_client.h"

#include <array>

#include "core/base/clock.h"
#include "core/net/connector.h"
#include "core/net/http_reply_parser.h"
#include "core/net/http_text.h"

namespace helix::net {
namespace {

std::int64_t Ns(Millis ms) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(ms).count();
}

IoLimits LimitsOf(Millis stall, Millis total, const RunContext& context) {
  return {context.stop, Ns(stall), SteadyNowNs() + Ns(total)};
}

std::string HostHeader(const Endpoint& endpoint) {
  return endpoint.BaseUrl().substr(endpoint.scheme.size() + 3);
}

// One request and its reply on one connection.
class Exchange {
 public:
  Exchange(ByteStream& stream, const HttpRequest& request, const IoLimits& limits, const ChunkSink& sink)
      : stream_(stream),
        limits_(limits),
        sink_(sink),
        parser_({request.max_bytes, std::size_t{64} << 10}, request.method == "HEAD") {}

  Result<HttpResponse> Run(const std::string& text);
  [[nodiscard]] bool received_nothing() const { return received_ == 0; }
  // The connection may carry another request.
  [[nodiscard]] bool reusable() const { return parser_.complete() && parser_.keep_alive() && !left_over_; }

 private:
  Status ReadReply();
  // False at the end of the stream.
  Result<bool> ReadOnce();

  ByteStream& stream_;
  const IoLimits& limits_;
  const ChunkSink& sink_;
  HttpReplyParser parser_;
  HttpResponse response_;
  std::size_t received_ = 0;
  bool left_over_ = false;
  std::array<char, 65536> buffer_;
};

Result<HttpResponse> Exchange::Run(const std::string& text) {
  response_.t_send_ns = SteadyNowNs();
  Status written = stream_.Write(text, limits_);
  // A server may refuse a long body early and close: its answer counts, the broken write does not.
  if (!written && written.error().code != ErrorCode::kUnavailable)
    return tl::make_unexpected(written.error());
  Status read = ReadReply();
  if (!read) return tl::make_unexpected(written || received_ > 0 ? read.error() : written.error());
  response_.t_end_ns = SteadyNowNs();
  response_.status = parser_.status();
  response_.headers = parser_.headers();
  response_.ended_by_close = parser_.ends_with_connection();
  return std::move(response_);
}

Status Exchange::ReadReply() {
  while (!parser_.complete()) {
    auto more = ReadOnce();
    if (!more) return tl::make_unexpected(more.error());
    if (*more) continue;
    if (received_ > 0) return parser_.Finish();
    return Fail(ErrorCode::kUnavailable, "the server closed the connection without a reply",
                "look at the server's log");
  }
  return {};
}

Result<bool> Exchange::ReadOnce() {
  auto got = stream_.Read(buffer_.data(), buffer_.size(), limits_);
  const std::int64_t now = SteadyNowNs();
  if (!got) return tl::make_unexpected(got.error());
  if (*got == 0) return false;
  received_ += *got;
  const bool had_headers = parser_.headers_complete();
  auto taken = parser_.Feed({buffer_.data(), *got}, [&](std::string_view piece) {
    if (sink_) return sink_(piece, now);
    response_.body.append(piece);
    return true;
  });
  if (!taken) return tl::make_unexpected(taken.error());
  if (!had_headers && parser_.headers_complete()) response_.t_headers_ns = now;
  left_over_ = *taken < *got;
  return true;
}

}  // namespace

struct HttpClient::Impl {
  std::string base_url;
  HttpClientOptions options;
  std::unique_ptr<Connector> connector;
  std::unique_ptr<ByteStream> stream;

  Status Prepare();
  // True when the connection was open already.
  Result<bool> Open(const RunContext& context);
  Result<HttpResponse> SendOnce(const HttpRequest& request, const std::string& text,
                                const RunContext& context, const ChunkSink& sink, bool* may_resend);
};

Status HttpClient::Impl::Prepare() {
  if (connector) return {};
  auto endpoint = ParseEndpoint(base_url);
  if (!endpoint) return tl::make_unexpected(endpoint.error());
  connector = std::make_unique<Connector>(*endpoint, options.resolver ? options.resolver : SystemResolver(),
                                          options.ca_file);
  return {};
}

Result<bool> HttpClient::Impl::Open(const RunContext& context) {
  if (stream && stream->Quiet()) return true;
  stream.reset();
  HELIX_TRY(Prepare());
  auto opened = connector->Open(LimitsOf(options.connect_timeout, options.connect_timeout, context));
  if (!opened) return tl::make_unexpected(opened.error());
  stream = std::move(*opened);
  return false;
}

Result<HttpResponse> HttpClient::Impl::SendOnce(const HttpRequest& request, const std::string& text,
                                                const RunContext& context, const ChunkSink& sink,
                                                bool* may_resend) {
  const IoLimits limits = LimitsOf(request.stall_timeout, request.total_timeout, context);
  const auto reused = Open(context);
  if (!reused) return tl::make_unexpected(reused.error());
  Exchange exchange(*stream, request, limits, sink);
  auto response = exchange.Run(text);
  if (response) response->connection_reused = *reused;
  *may_resend =
      *reused && !response && exchange.received_nothing() && response.error().code == ErrorCode::kUnavailable;
  if (!response || !exchange.reusable()) stream.reset();
  return response;
}

HttpClient::HttpClient(std::string base_url, HttpClientOptions options)
    : impl_(std::make_unique<Impl>(Impl{std::move(base_url), std::move(options), nullptr, nullptr})) {}
HttpClient::~HttpClient() = default;
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;

Status HttpClient::Connect(const RunContext& context) {
  auto opened = impl_->Open(context);
  return opened ? Status() : tl::make_unexpected(opened.error());
}

void HttpClient::Close() {
  impl_->stream.reset();
}

const std::string& HttpClient::base_url() const {
  return impl_->base_url;
}

Result<HttpResponse> HttpClient::Send(const HttpRequest& request, const RunContext& context,
                                      const ChunkSink& sink) {
  HELIX_TRY(impl_->Prepare());
  auto text = RequestText(request, HostHeader(impl_->connector->endpoint()));
  if (!text) return tl::make_unexpected(text.error());
  bool may_resend = false;
  auto response = impl_->SendOnce(request, *text, context, sink, &may_resend);
  const bool safe = request.safe_to_resend || request.method == "GET" || request.method == "HEAD";
  if (response || !may_resend || !safe) return response;
  return impl_->SendOnce(request, *text, context, sink, &may_resend);
}

}  // namespace helix::net
