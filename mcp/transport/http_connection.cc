#include "mcp/transport/http_connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "core/base/clock.h"
#include "mcp/transport/http_response.h"

namespace helix::mcp {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStreamQuiet = 15 * kSecond;  // then a comment
constexpr std::int64_t kStreamAfter =
    10 * kSecond;  // a call this long is answered as a stream where accepted
constexpr std::int64_t kSlowRequest = 30 * kSecond;
constexpr std::int64_t kIdle = 300 * kSecond;
constexpr std::int64_t kLeave = 2 * kSecond;
constexpr std::int64_t kStuckReader = 60 * kSecond;
constexpr std::size_t kAhead = std::size_t{64} << 10;         // read before the current request is answered
constexpr std::size_t kUnreadAnswers = std::size_t{1} << 20;  // above it the next request waits
constexpr std::size_t kMaxOut = std::size_t{64} << 20;

}  // namespace

HttpConnection::HttpConnection(int fd, std::uint64_t id, std::shared_ptr<HttpMailbox> mailbox,
                               const HttpPolicy& policy, const OnHttpRequest& on_request)
    : fd_(fd),
      id_(id),
      mailbox_(std::move(mailbox)),
      policy_(policy),
      on_request_(on_request),
      last_in_ns_(SteadyNowNs()),
      last_out_ns_(last_in_ns_) {}

HttpConnection::~HttpConnection() {
  if (outbox_) outbox_->ClientLeft();
  close(fd_);
}

std::uint32_t HttpConnection::Interest() const {
  std::uint32_t interest = 0;
  const bool full = Waiting() && in_.size() >= kAhead;
  if (!peer_done_ && !full) interest |= EPOLLRDHUP;
  if (!peer_done_ && !full) interest |= EPOLLIN;
  if (sent_ < out_.size()) interest |= EPOLLOUT;
  return interest;
}

bool HttpConnection::Waiting() const {
  return outbox_ != nullptr || out_.size() - sent_ >= kUnreadAnswers;
}

bool HttpConnection::Readable() {
  std::array<char, std::size_t{16} << 10> buffer;
  while (!peer_done_) {
    if (Waiting() && in_.size() >= kAhead) break;
    const auto n = recv(fd_, buffer.data(), buffer.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (n < 0) return false;
    if (n == 0) {
      peer_done_ = true;
      if (outbox_) outbox_->ClientLeft();
      break;
    }
    if (leaving_) continue;
    last_in_ns_ = SteadyNowNs();
    in_.append(buffer.data(), static_cast<std::size_t>(n));
    if (static_cast<std::size_t>(n) < buffer.size()) break;
    if (!Advance()) return false;
  }
  return Advance();
}

bool HttpConnection::Writable() {
  return Flush() && Advance();
}

bool HttpConnection::Advance() {
  while (!Waiting() && !leaving_ && !close_after_) {
    const auto state = parser_.Parse(in_);
    if (state == HttpParser::State::kError) {
      RespondAndLeave(parser_.status(), parser_.reason());
      break;
    }
    if (state == HttpParser::State::kHead) break;
    if (!checked_) CheckHead();
    if (leaving_ || parser_.state() == HttpParser::State::kHead) continue;
    if (state == HttpParser::State::kBody) break;
    Begin();  // the server delivers the answer and calls Writable, which goes on with what is pipelined
  }
  if (!Flush()) return false;
  const bool drained = sent_ >= out_.size();
  if (close_after_ && drained) return false;
  return !(peer_done_ && drained && !outbox_);
}

void HttpConnection::CheckHead() {
  checked_ = true;
  auto& request = parser_.request();
  const auto* origin = FindHeader(request.headers, "origin");
  auto refusal = CheckRequest(request, policy_);
  const bool trusted = origin != nullptr && (!refusal || refusal->status != 403);
  cors_ = trusted ? "Access-Control-Allow-Origin: " + *origin + "\r\nVary: Origin\r\n" : "";
  if (refusal && refusal->status == 405 && request.method == "OPTIONS" && trusted) {
    cors_ += "Access-Control-Allow-Methods: POST\r\nAccess-Control-Allow-Headers: *, Authorization\r\n";
  }
  if (!refusal) {
    if (request.expects_continue && parser_.state() == HttpParser::State::kBody) Put(kContinue);
    return;
  }
  const auto extra = refusal->header + cors_;
  // The answer to HEAD has no body: what we say after its head would be read as the next answer.
  if (request.has_body || !request.keep_alive || request.method == "HEAD")
    return RespondAndLeave(refusal->status, refusal->reason, extra);
  Respond(refusal->status, RefusalBody(refusal->reason), extra);
  checked_ = false;
  parser_.Next();
}

void HttpConnection::Begin() {
  const auto& request = parser_.request();
  accepts_ = AcceptedTypes(request);
  begun_ns_ = SteadyNowNs();
  streaming_ = false;
  outbox_ = std::make_shared<HttpOutbox>(mailbox_, id_, ++exchange_);
  if (peer_done_) outbox_->ClientLeft();
  on_request_(request, outbox_);
}

bool HttpConnection::Apply(const HttpAction& action) {
  if (action.connection != id_ || action.exchange != exchange_ || !outbox_) return true;
  const bool stream =
      streaming_ || (accepts_.events && (action.kind == HttpAction::Kind::kSend || !accepts_.json));
  if (action.kind == HttpAction::Kind::kSend) {
    if (stream) Stream(Event(action.message));
    return true;
  }
  if (action.kind == HttpAction::Kind::kNothing) {
    if (streaming_) return EndExchange(), true;
    // Some clients that take JSON only fail on a 202 without a body.
    Respond(202, accepts_.events ? "" : "{}", cors_);
  } else if (stream && (streaming_ || action.status == 200)) {
    Stream(Event(action.message));
  } else {
    Respond(action.status, action.message, cors_);
  }
  EndExchange();
  return true;
}

void HttpConnection::EndExchange() {
  if (streaming_ && !parser_.request().http_1_0) Put(kLastChunk);
  if (!parser_.request().keep_alive || (streaming_ && parser_.request().http_1_0)) close_after_ = true;
  outbox_.reset();
  streaming_ = false;
  checked_ = false;
  parser_.Next();
}

void HttpConnection::Stream(std::string_view bytes) {
  const auto& request = parser_.request();
  if (!streaming_) Put(EventStreamHead(!request.http_1_0, request.keep_alive));
  streaming_ = true;
  Put(request.http_1_0 ? std::string(bytes) : Chunk(bytes));
}

void HttpConnection::Put(std::string_view bytes) {
  if (sent_ == out_.size()) {
    out_.clear();
    sent_ = 0;
    last_out_ns_ = SteadyNowNs();  // a reader that is slow is stuck from now on at the earliest
  }
  out_.append(bytes);
}

void HttpConnection::Respond(int status, std::string_view body, std::string_view extra) {
  Put(HttpResponse(status, body, parser_.request().keep_alive, extra));
}

void HttpConnection::RespondAndLeave(int status, const std::string& reason, std::string_view extra) {
  Put(HttpResponse(status, RefusalBody(reason), false, extra));
  leaving_ = true;
  in_ = std::string();
}

bool HttpConnection::Flush() {
  while (sent_ < out_.size()) {
    const auto n = send(fd_, out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (n < 0) return false;
    sent_ += static_cast<std::size_t>(n);
    last_out_ns_ = SteadyNowNs();
  }
  if (sent_ == out_.size() && out_.capacity() > kAhead) {
    out_ = std::string();
    sent_ = 0;
  }
  if (leaving_ && sent_ >= out_.size() && !peer_done_) shutdown(fd_, SHUT_WR);
  return out_.size() - sent_ <= kMaxOut;
}

bool HttpConnection::Tick(std::int64_t now_ns) {
  const bool unsent = sent_ < out_.size();
  if (unsent) return now_ns - last_out_ns_ < kStuckReader;
  if (leaving_) return now_ns - last_out_ns_ < kLeave;
  if (outbox_) {
    const bool quiet = streaming_ && now_ns - last_out_ns_ >= kStreamQuiet;
    const bool waiting = !streaming_ && accepts_.events && now_ns - begun_ns_ >= kStreamAfter;
    if (quiet || waiting) Stream(kKeepAliveComment);
    return Flush();
  }
  const bool partial = !in_.empty() || parser_.state() == HttpParser::State::kBody;
  return now_ns - last_in_ns_ < (partial ? kSlowRequest : kIdle);
}

}  // namespace helix::mcp
