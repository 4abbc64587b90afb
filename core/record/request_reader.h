// Reads one HTTP/1.1 request from a client as the bytes it is.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/net/io_limits.h"
#include "core/net/socket_stream.h"

namespace helix::record {

struct ClientRequest {
  std::string method;
  std::string target;
  std::multimap<std::string, std::string> headers;  // names in lower case
  std::string head;  // the request line and headers as sent, with the empty line
  std::string body;  // as sent: with chunk framing when it was chunked
  std::string text;  // the body without framing
};

inline constexpr std::size_t kLongestHead = std::size_t{64} << 10;
inline constexpr std::size_t kLongestBody = std::size_t{256} << 20;

// kProtocol for what is no request (both framings at once, a broken length, too long), kUnavailable when the
// client closed before a whole request.
Result<ClientRequest> ReadRequest(net::ByteStream& stream, const net::IoLimits& limits);

// The head for the upstream: same bytes but for Host, Connection and Accept-Encoding, which a proxy has to
// set.
std::string UpstreamHead(const ClientRequest& request, const std::string& host);

// A chunked body without its framing; what was decoded so far when `body` is not whole.
std::string Unchunk(const std::string& body);

// True when `body` holds a whole chunked body and nothing is missing from it.
bool ChunkedWhole(std::string_view body);

// Header lines after the first line, names in lower case.
std::multimap<std::string, std::string> ParseHeaders(const std::string& head);

}  // namespace helix::record
