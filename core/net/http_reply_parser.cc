#include "core/net/http_reply_parser.h"

#include <algorithm>
#include <charconv>

#include "core/net/http_text.h"

namespace helix::net {
namespace {

auto Broken(const std::string& what) {
  return Fail(ErrorCode::kProtocol, "the reply is not valid HTTP: " + what,
              "check that the endpoint is an HTTP server");
}

}  // namespace

Result<std::size_t> HttpReplyParser::Feed(std::string_view bytes, const BodySink& sink) {
  const std::size_t size = bytes.size();
  while (!bytes.empty() && state_ != State::kDone) {
    if (state_ == State::kBody || state_ == State::kChunkData) {
      HELIX_TRY(Body(bytes, sink));
      continue;
    }
    auto whole = TakeLine(bytes);
    if (!whole) return tl::make_unexpected(whole.error());
    if (*whole) HELIX_TRY(HandleLine());
  }
  return size - bytes.size();
}

Result<bool> HttpReplyParser::TakeLine(std::string_view& bytes) {
  if (line_complete_) line_.clear();
  const std::size_t lf = bytes.find('\n');
  const std::size_t taken = lf == std::string_view::npos ? bytes.size() : lf + 1;
  // Chunk-size lines are counted by their own length: a long stream has many.
  const bool chunked = state_ == State::kChunkSize || state_ == State::kChunkEnd;
  if (!chunked) header_bytes_ += taken;
  if (header_bytes_ > limits_.max_header_bytes || line_.size() + taken > limits_.max_header_bytes) {
    return Broken("more than " + std::to_string(limits_.max_header_bytes) + " bytes of headers");
  }
  line_.append(bytes.substr(0, taken));
  bytes.remove_prefix(taken);
  line_complete_ = lf != std::string_view::npos;
  if (!line_complete_) return false;
  line_.pop_back();
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  if (line_.find_first_of(std::string_view("\r\0", 2)) != std::string::npos)
    return Broken("a control character");
  return true;
}

Status HttpReplyParser::HandleLine() {
  switch (state_) {
    case State::kStatusLine:
      return StatusLine();
    case State::kHeaders:
      return line_.empty() ? EndOfHeaders() : HeaderLine();
    case State::kChunkSize:
      return ChunkSizeLine();
    case State::kChunkEnd:
      if (!line_.empty()) return Broken("a chunk is longer than its size says");
      state_ = State::kChunkSize;
      return {};
    default:  // trailers are read and dropped
      if (line_.empty()) state_ = State::kDone;
      return {};
  }
}

Status HttpReplyParser::StatusLine() {
  const std::string_view line = line_;
  const bool shape = line.size() >= 12 &&
                     (line.substr(0, 9) == "HTTP/1.1 " || line.substr(0, 9) == "HTTP/1.0 ") &&
                     (line.size() == 12 || line[12] == ' ');
  const auto [end, error] = std::from_chars(line.data() + std::min<std::size_t>(9, line.size()),
                                            line.data() + std::min<std::size_t>(12, line.size()), status_);
  if (!shape || error != std::errc() || end != line.data() + 12 || status_ < 100) {
    return Broken("it starts with \"" + Printable(line.substr(0, 40)) + "\"");
  }
  keep_alive_ = line[7] == '1';
  state_ = State::kHeaders;
  return {};
}

Status HttpReplyParser::HeaderLine() {
  const std::size_t colon = line_.find(':');
  if (colon == std::string::npos) return Broken("a header line without a colon");
  std::string name = LowerCase(line_.substr(0, colon));
  if (!IsHeaderName(name)) return Broken("a header name that is not a token");
  headers_.emplace(std::move(name), TrimBlanks(line_.substr(colon + 1)));
  return {};
}

Status HttpReplyParser::EndOfHeaders() {
  if (status_ >= 200) return DecideFraming();
  if (status_ == 101) return Broken("status 101, though no upgrade was asked for");
  headers_.clear();  // 100 and 103 come before the reply
  state_ = State::kStatusLine;
  return {};
}

Status HttpReplyParser::DecideFraming() {
  const std::string connection = LowerCase(JoinedHeader(headers_, "connection"));
  if (ListHas(connection, "close")) keep_alive_ = false;
  if (ListHas(connection, "keep-alive")) keep_alive_ = true;
  const std::string encoding = LowerCase(JoinedHeader(headers_, "content-encoding"));
  const std::string transfer = LowerCase(JoinedHeader(headers_, "transfer-encoding"));
  if (!encoding.empty() && encoding != "identity") {
    return Fail(ErrorCode::kProtocol,
                "the reply is compressed (" + Printable(encoding) + ") though identity was asked for",
                "turn compression off in the server or the proxy in front of it: it changes the timing");
  }
  const auto lengths = headers_.count("content-length");
  if (!transfer.empty() && lengths > 0) return Broken("both transfer-encoding and content-length");
  if (lengths > 1) return Broken("more than one content-length");
  if (!transfer.empty() && transfer != "chunked") {
    return Broken("transfer-encoding " + Printable(transfer) + ", expected chunked");
  }
  if (reply_to_head_ || status_ == 204 || status_ == 304) {
    state_ = State::kDone;
  } else if (!transfer.empty()) {
    state_ = State::kChunkSize;
  } else if (lengths == 1) {
    auto length = ParseNumber(headers_.find("content-length")->second, 10);
    if (!length) return Broken("a content-length that is not a number");
    if (*length > limits_.max_body_bytes)
      return Broken("a body of more than the allowed " + std::to_string(limits_.max_body_bytes) + " bytes");
    remaining_ = *length;
    state_ = remaining_ == 0 ? State::kDone : State::kBody;
  } else {
    ends_with_connection_ = true;
    state_ = State::kBody;
  }
  return {};
}

Status HttpReplyParser::ChunkSizeLine() {
  const std::string_view size = std::string_view(line_).substr(0, line_.find(';'));
  auto length = ParseNumber(TrimBlanks(std::string(size)), 16);
  if (!length) return Broken("a chunk size that is not a number");
  remaining_ = *length;
  state_ = remaining_ == 0 ? State::kTrailers : State::kChunkData;
  return {};
}

Status HttpReplyParser::Body(std::string_view& bytes, const BodySink& sink) {
  std::string_view piece = bytes;
  if (!ends_with_connection_) piece = piece.substr(0, std::min<std::uint64_t>(remaining_, piece.size()));
  body_bytes_ += piece.size();
  if (body_bytes_ > limits_.max_body_bytes) {
    return Broken("a body of more than the allowed " + std::to_string(limits_.max_body_bytes) + " bytes");
  }
  bytes.remove_prefix(piece.size());
  if (!ends_with_connection_) {
    remaining_ -= piece.size();
    if (remaining_ == 0) state_ = state_ == State::kBody ? State::kDone : State::kChunkEnd;
  }
  if (!sink(piece)) return Fail(ErrorCode::kCancelled, "the reader of the reply stopped it");
  return {};
}

Status HttpReplyParser::Finish() {
  if (state_ == State::kDone) return {};
  if (state_ == State::kBody && ends_with_connection_) {
    state_ = State::kDone;
    return {};
  }
  if (!headers_complete())
    return Fail(ErrorCode::kProtocol, "the connection ended before the reply's headers were complete");
  return Fail(ErrorCode::kProtocol,
              "the reply was cut off after " + std::to_string(body_bytes_) + " bytes of its body",
              "the server died or dropped the connection: look at its log");
}

}  // namespace helix::net
