// Responses as bytes.
#pragma once
#include <string>
#include <string_view>

namespace helix::mcp {

// A whole response. `extra` are header lines with their CRLF. An empty body has no content type.
std::string HttpResponse(int status, std::string_view body, bool keep_alive, std::string_view extra = {});
// {"error":"..."} for what is refused before it is JSON-RPC.
std::string RefusalBody(std::string_view reason);

// The head of an event stream; chunked unless the client speaks HTTP/1.0.
std::string EventStreamHead(bool chunked, bool keep_alive);
// One message as an event.
std::string Event(std::string_view message);
// `bytes` as one chunk of a chunked body.
std::string Chunk(std::string_view bytes);

inline constexpr std::string_view kLastChunk = "0\r\n\r\n";
inline constexpr std::string_view kKeepAliveComment = ": keepalive\n\n";
inline constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace helix::mcp
