#include "core/record/request_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

namespace helix::record {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";
constexpr std::size_t kReservedBody = std::size_t{1}
                                      << 20;  // of a longer body only what comes is made room for

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Appends what the client sends next; kUnavailable at its end.
Status ReadMore(net::ByteStream& stream, const net::IoLimits& limits, std::string& buffer) {
  std::array<char, 65536> piece;
  auto got = stream.Read(piece.data(), piece.size(), limits);
  if (!got) return tl::make_unexpected(got.error());
  if (*got == 0) return Fail(ErrorCode::kUnavailable, "the client closed its connection");
  buffer.append(piece.data(), *got);
  return {};
}

// Offset behind a whole chunked body in `bytes`; nullopt when it is not whole yet.
Result<std::optional<std::size_t>> ChunkedEnd(std::string_view bytes) {
  std::size_t at = 0;
  while (true) {
    const std::size_t line = bytes.find("\r\n", at);
    if (line == std::string_view::npos) return std::nullopt;
    std::size_t size = 0;
    const auto read = std::from_chars(bytes.data() + at, bytes.data() + line, size, 16);
    if (read.ec != std::errc() || size > kLongestBody)
      return Fail(ErrorCode::kProtocol, "expected a chunk size");
    if (size == 0) {
      const std::size_t end = bytes.find("\r\n", line + 2);
      if (bytes.substr(line + 2, 2) == "\r\n") return line + 4;
      const std::size_t trailer = bytes.find(kEndOfHead, line);
      return end == std::string_view::npos || trailer == std::string_view::npos ? std::nullopt
                                                                                : std::optional(trailer + 4);
    }
    at = line + 2 + size + 2;
    if (at > bytes.size()) return std::nullopt;
  }
}

Status ReadChunked(net::ByteStream& stream, const net::IoLimits& limits, ClientRequest& request) {
  while (true) {
    auto end = ChunkedEnd(request.body);
    if (!end) return tl::make_unexpected(end.error());
    if (*end) {
      request.body.resize(**end);
      return {};
    }
    if (request.body.size() > kLongestBody) return Fail(ErrorCode::kProtocol, "the request body is too long");
    HELIX_TRY(ReadMore(stream, limits, request.body));
  }
}

// How the body is framed.
Status ParseFraming(ClientRequest& request) {
  request.chunked = request.headers.count("transfer-encoding") > 0;
  const std::size_t lengths = request.headers.count("content-length");
  if (lengths > 1 || (request.chunked && lengths > 0))
    return Fail(ErrorCode::kProtocol, "the request frames its body in two ways");
  if (lengths == 0) return {};
  const std::string& length = request.headers.find("content-length")->second;
  const auto read = std::from_chars(length.data(), length.data() + length.size(), request.length);
  if (read.ec != std::errc() || read.ptr != length.data() + length.size() || request.length > kLongestBody)
    return Fail(ErrorCode::kProtocol, "the content-length is no length that can be taken");
  return {};
}

Status ParseFirstLine(ClientRequest& request) {
  const std::string line = request.head.substr(0, request.head.find("\r\n"));
  const std::size_t first = line.find(' ');
  const std::size_t second = first == std::string::npos ? first : line.find(' ', first + 1);
  if (second == std::string::npos || line.compare(second + 1, 7, "HTTP/1.") != 0)
    return Fail(ErrorCode::kProtocol, "expected an HTTP/1.1 request");
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, second - first - 1);
  if (request.target.empty() || request.target.front() != '/')
    return Fail(ErrorCode::kProtocol, "expected a path that starts with /");
  return {};
}

}  // namespace

std::multimap<std::string, std::string> ParseHeaders(const std::string& head) {
  std::multimap<std::string, std::string> headers;
  std::size_t begin = head.find("\r\n");
  while (begin != std::string::npos && begin + 2 < head.size()) {
    begin += 2;
    const std::size_t end = head.find("\r\n", begin);
    if (end == std::string::npos || end == begin) break;
    const std::string_view line = std::string_view(head).substr(begin, end - begin);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos)
      headers.emplace(Lower(Trim(line.substr(0, colon))), Trim(line.substr(colon + 1)));
    begin = end;
  }
  return headers;
}

bool ChunkedWhole(std::string_view body) {
  const auto end = ChunkedEnd(body);
  return end && end->has_value();
}

std::string Unchunk(const std::string& body) {
  std::string text;
  for (std::size_t at = 0;;) {
    const std::size_t line = body.find("\r\n", at);
    std::size_t size = 0;
    if (line == std::string::npos) return text;
    const auto read = std::from_chars(body.data() + at, body.data() + line, size, 16);
    if (read.ec != std::errc() || size == 0 || line + 2 > body.size()) return text;
    text += body.substr(line + 2, size);
    if (size > body.size() - line - 2) return text;
    at = line + 2 + size + 2;
    if (at > body.size()) return text;
  }
}

std::string ClientRequest::Text() const {
  return chunked ? Unchunk(body) : body;
}

Result<ClientRequest> ReadHead(net::ByteStream& stream, const net::IoLimits& limits) {
  ClientRequest request;
  std::string& head = request.head;
  std::size_t end = std::string::npos;
  while ((end = head.find(kEndOfHead)) == std::string::npos) {
    if (head.size() > kLongestHead) return Fail(ErrorCode::kProtocol, "the request head is too long");
    if (auto more = ReadMore(stream, limits, head); !more) return tl::make_unexpected(more.error());
  }
  end += kEndOfHead.size();
  const std::string_view rest = std::string_view(head).substr(end);
  if (auto line = ParseFirstLine(request); !line) return tl::make_unexpected(line.error());
  request.headers = ParseHeaders(head);
  if (auto framing = ParseFraming(request); !framing) return tl::make_unexpected(framing.error());
  const std::size_t expected = request.chunked ? rest.size() : request.length;
  request.body.reserve(std::min(expected, kReservedBody));
  request.body = rest.substr(0, expected);
  head.resize(end);
  if (request.headers.count("expect") > 0)
    if (auto sent = stream.Write("HTTP/1.1 100 Continue\r\n\r\n", limits); !sent)
      return tl::make_unexpected(sent.error());
  return request;
}

Status ReadBody(net::ByteStream& stream, const net::IoLimits& limits, ClientRequest& request,
                const std::function<void(std::string_view)>& piece) {
  if (request.chunked) {
    HELIX_TRY(ReadChunked(stream, limits, request));
    piece(request.body);
    return {};
  }
  if (!request.body.empty()) piece(request.body);
  std::array<char, 65536> bytes;
  while (request.body.size() < request.length) {
    auto got =
        stream.Read(bytes.data(), std::min(bytes.size(), request.length - request.body.size()), limits);
    if (!got) return tl::make_unexpected(got.error());
    if (*got == 0) return Fail(ErrorCode::kUnavailable, "the client closed its connection");
    piece({bytes.data(), *got});
    request.body.append(bytes.data(), *got);
  }
  return {};
}

std::string UpstreamHead(const ClientRequest& request, const std::string& host) {
  std::string head = request.head.substr(0, request.head.find("\r\n") + 2);
  std::size_t begin = head.size();
  while (true) {
    const std::size_t end = request.head.find("\r\n", begin);
    if (end == std::string::npos || end == begin) break;
    const std::string line = request.head.substr(begin, end - begin);
    const std::string name = Lower(Trim(line.substr(0, line.find(':'))));
    const bool ours = name == "host" || name == "connection" || name == "accept-encoding" ||
                      name == "expect" || name == "keep-alive";
    if (!ours) head += line + "\r\n";
    begin = end + 2;
  }
  return head + "Host: " + host + "\r\nConnection: close\r\nAccept-Encoding: identity\r\n\r\n";
}

}  // namespace helix::record
