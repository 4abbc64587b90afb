// Reads one HTTP/1.1 request from a client as the bytes it is, so that they can be handed on before all are
// there.
#pragma once
#include <cstddef>
#include <functional>
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
  std::string body;  // as sent: with chunk framing when it is chunked
  bool chunked = false;
  std::size_t length = 0;  // of a body that is not chunked

  // The body without framing.
  [[nodiscard]] std::string Text() const;
};

inline constexpr std::size_t kLongestHead = std::size_t{64} << 10;
inline constexpr std::size_t kLongestBody = std::size_t{256} << 20;

// The request up to its body, of which `body` holds what came with the head. kProtocol for what is no request
// (both framings at once, a broken length, too long), kUnavailable when the client closed before its end.
Result<ClientRequest> ReadHead(net::ByteStream& stream, const net::IoLimits& limits);

// Reads the rest of the body and hands every piece of it to `piece`, in order and as soon as it is there; a
// chunked one as a whole, since only its end shows that it is well formed. Errors as above.
Status ReadBody(net::ByteStream& stream, const net::IoLimits& limits, ClientRequest& request,
                const std::function<void(std::string_view)>& piece);

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
