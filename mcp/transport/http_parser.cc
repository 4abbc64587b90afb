#include "mcp/transport/http_parser.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace helix::mcp {
namespace {

constexpr std::size_t kMaxChunkLine = 256;

bool IsTokenChar(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= '0' && u <= '9') || (u >= 'A' && u <= 'Z') || (u >= 'a' && u <= 'z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenChar);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<std::size_t> Number(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  if (digits.empty() || digits.size() > 16 || digits[0] == '-' || digits[0] == '+') return std::nullopt;
  const auto [last, problem] = std::from_chars(digits.data(), end, value, base);
  if (problem != std::errc() || last != end) return std::nullopt;
  return value;
}

std::size_t Count(const Headers& headers, std::string_view name) {
  return static_cast<std::size_t>(std::count_if(headers.begin(), headers.end(),
                                                [&](const auto& header) { return header.first == name; }));
}

}  // namespace

bool HttpParser::Fail(int status, std::string reason) {
  state_ = State::kError;
  status_ = status;
  reason_ = std::move(reason);
  return false;
}

void HttpParser::Next() {
  request_ = HttpRequest{};
  state_ = State::kHead;
  body_left_ = 0;
  scanned_ = 0;
  chunked_ = false;
  trailer_ = false;
}

HttpParser::State HttpParser::Parse(std::string& input) {
  if (state_ == State::kHead && !ParseHead(input)) return state_;
  if (state_ == State::kBody) chunked_ ? ParseChunks(input) : ParseBody(input);
  return state_;
}

bool HttpParser::ParseHead(std::string& input) {
  std::size_t start = 0;
  while (start + 1 < input.size() && input[start] == '\r' && input[start + 1] == '\n') start += 2;
  if (start > 0) input.erase(0, start);  // empty lines before a request are tolerated
  const auto end = input.find("\r\n\r\n", scanned_);
  if (end == std::string::npos) {
    scanned_ = input.size() < 3 ? 0 : input.size() - 3;
    return input.size() > limits_.head_bytes ? Fail(431, "the request's head is too long") : false;
  }
  if (end > limits_.head_bytes) return Fail(431, "the request's head is too long");
  const std::string head = input.substr(0, end);
  input.erase(0, end + 4);
  std::string_view rest = head;
  for (bool first = true; !rest.empty() || first; first = false) {
    const auto eol = std::min(rest.find("\r\n"), rest.size());
    const auto line = rest.substr(0, eol);
    rest.remove_prefix(std::min(eol + 2, rest.size()));
    if (line.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos) {
      return Fail(400, "a line of the head holds a control character");
    }
    if (!(first ? ParseRequestLine(line) : ParseHeader(line))) return false;
  }
  return ParseFraming();
}

bool HttpParser::ParseRequestLine(std::string_view line) {
  const auto first = line.find(' ');
  const auto second = line.find(' ', first == std::string_view::npos ? first : first + 1);
  if (second == std::string_view::npos || !IsToken(line.substr(0, first)))
    return Fail(400, "the request line is malformed");
  const auto version = line.substr(second + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return Fail(version.substr(0, 5) == "HTTP/" ? 505 : 400, "only HTTP/1.0 and HTTP/1.1 are spoken here");
  }
  const auto target = line.substr(first + 1, second - first - 1);
  if (target.empty() || target[0] != '/') return Fail(400, "the request target must be a path");
  request_.method = line.substr(0, first);
  request_.path = target.substr(0, target.find('?'));
  request_.http_1_0 = version == "HTTP/1.0";
  return true;
}

bool HttpParser::ParseHeader(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon)))
    return Fail(400, "a header line is malformed");
  if (request_.headers.size() >= limits_.headers) return Fail(431, "too many header lines");
  request_.headers.emplace_back(Lower(line.substr(0, colon)), Trim(line.substr(colon + 1)));
  return true;
}

bool HttpParser::ParseFraming() {
  auto& r = request_;
  const auto lengths = Count(r.headers, "content-length");
  const auto encodings = Count(r.headers, "transfer-encoding");
  if (Count(r.headers, "host") != 1 && !r.http_1_0) return Fail(400, "exactly one Host header is needed");
  if (lengths + encodings > 1) return Fail(400, "the length of the body is given more than once");
  if (encodings == 1) {
    if (r.http_1_0 || Lower(*FindHeader(r.headers, "transfer-encoding")) != "chunked") {
      return Fail(501, "the only transfer coding here is chunked");
    }
    chunked_ = true;
  } else if (lengths == 1) {
    const auto length = Number(*FindHeader(r.headers, "content-length"), 10);
    if (!length) return Fail(400, "Content-Length must be a number");
    body_left_ = *length;
  }
  r.has_body = chunked_ || body_left_ > 0;
  const auto* connection = FindHeader(r.headers, "connection");
  const auto wish = connection != nullptr ? Lower(*connection) : std::string();
  r.keep_alive = r.http_1_0 ? wish == "keep-alive" : wish.find("close") == std::string::npos;
  const auto* expect = FindHeader(r.headers, "expect");
  if (expect != nullptr && Lower(*expect) != "100-continue")
    return Fail(417, "only 100-continue can be expected here");
  r.expects_continue = expect != nullptr && r.has_body;
  state_ = State::kBody;
  if (body_left_ > limits_.body_bytes) return Fail(413, "the body is longer than 4 MiB");
  return true;
}

bool HttpParser::ParseBody(std::string& input) {
  const auto take = std::min(body_left_, input.size());
  request_.body.append(input, 0, take);
  input.erase(0, take);
  body_left_ -= take;
  if (body_left_ == 0) state_ = State::kRequest;
  return true;
}

// body_left_ is what is missing of the current chunk with its CRLF; 0 means that a size line comes next.
bool HttpParser::ParseChunks(std::string& input) {
  while (true) {
    if (body_left_ > 2) {
      const auto take = std::min(body_left_ - 2, input.size());
      request_.body.append(input, 0, take);
      input.erase(0, take);
      body_left_ -= take;
    }
    if (body_left_ > 2) return true;
    if (body_left_ > 0) {
      if (input.size() < 2) return true;
      if (input[0] != '\r' || input[1] != '\n') return Fail(400, "a chunk is not ended by CRLF");
      input.erase(0, 2);
      body_left_ = 0;
    }
    const auto eol = input.find("\r\n");
    if (std::min(eol, input.size()) > kMaxChunkLine) return Fail(400, "a chunk line is too long");
    if (eol == std::string::npos) return true;
    const std::string line = input.substr(0, eol);
    input.erase(0, eol + 2);
    if (trailer_) {  // trailers are read over; an empty line ends them
      if (!line.empty()) continue;
      state_ = State::kRequest;
      return true;
    }
    const auto size = Number(Trim(std::string_view(line).substr(0, line.find(';'))), 16);
    if (!size || line.find_first_of("\r\n") != std::string::npos)
      return Fail(400, "a chunk size is not a number");
    if (*size > limits_.body_bytes || request_.body.size() + *size > limits_.body_bytes) {
      return Fail(413, "the body is longer than 4 MiB");
    }
    trailer_ = *size == 0;
    body_left_ = trailer_ ? 0 : *size + 2;
  }
}

}  // namespace helix::mcp
