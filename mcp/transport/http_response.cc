#include "mcp/transport/http_response.h"

#include <array>
#include <charconv>
#include <utility>

#include "core/base/json.h"

namespace helix::mcp {
namespace {

std::string_view Reason(int status) {
  constexpr std::array<std::pair<int, std::string_view>, 17> kReasons = {
      {{200, "OK"},
       {202, "Accepted"},
       {400, "Bad Request"},
       {401, "Unauthorized"},
       {403, "Forbidden"},
       {404, "Not Found"},
       {405, "Method Not Allowed"},
       {406, "Not Acceptable"},
       {408, "Request Timeout"},
       {413, "Content Too Large"},
       {415, "Unsupported Media Type"},
       {417, "Expectation Failed"},
       {431, "Request Header Fields Too Large"},
       {500, "Internal Server Error"},
       {501, "Not Implemented"},
       {503, "Service Unavailable"},
       {505, "HTTP Version Not Supported"}}};
  for (const auto& [code, text] : kReasons) {
    if (code == status) return text;
  }
  return "Unknown";
}

}  // namespace

std::string HttpResponse(int status, std::string_view body, bool keep_alive, std::string_view extra) {
  std::string text = "HTTP/1.1 ";
  text.reserve(192 + extra.size() + body.size());
  text.append(std::to_string(status)).append(" ").append(Reason(status)).append("\r\n");
  if (!body.empty()) text.append("Content-Type: application/json\r\n");
  text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n").append(extra);
  if (!keep_alive) text.append("Connection: close\r\n");
  return text.append("\r\n").append(body);
}

std::string RefusalBody(std::string_view reason) {
  return DumpJson(Json{{"error", reason}});
}

std::string EventStreamHead(bool chunked, bool keep_alive) {
  std::string text =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: "
      "no\r\n";
  if (chunked) text += "Transfer-Encoding: chunked\r\n";
  if (!keep_alive || !chunked) text += "Connection: close\r\n";
  return text + "\r\n";
}

std::string Event(std::string_view message) {
  std::string text = "event: message\ndata: ";
  return text.append(message).append("\n\n");
}

std::string Chunk(std::string_view bytes) {
  std::array<char, 16> size{};
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
  std::string text(size.data(), end);
  return text.append("\r\n").append(bytes).append("\r\n");
}

}  // namespace helix::mcp
