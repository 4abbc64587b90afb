#include "core/net/http_text.h"

#include <algorithm>
#include <charconv>

#include "core/net/http_client.h"

namespace helix::net {
namespace {

bool IsTokenChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsVisible(char c) {
  return c > 0x20 && c < 0x7F;
}
bool IsHeaderValueChar(char c) {
  return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
}

bool IsOwnHeader(const std::string& name) {
  return name == "host" || name == "content-length" || name == "transfer-encoding" ||
         name == "accept-encoding" || name == "connection" || name == "expect" || name == "upgrade";
}

Status CheckHeader(const std::string& name, const std::string& value) {
  if (!IsHeaderName(name)) return Fail(ErrorCode::kInvalidArgument, "a request header's name is not a token");
  if (!std::all_of(value.begin(), value.end(), IsHeaderValueChar)) {
    return Fail(ErrorCode::kInvalidArgument, "the value of the header " + name + " holds a control character",
                "check the key or value for a line break");
  }
  if (IsOwnHeader(LowerCase(name))) {
    return Fail(ErrorCode::kInvalidArgument, "the header " + name + " is set by the client itself");
  }
  return {};
}

}  // namespace

std::string LowerCase(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string TrimBlanks(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool IsHeaderName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), IsTokenChar);
}

std::optional<std::uint64_t> ParseNumber(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return value;
}

std::string JoinedHeader(const std::multimap<std::string, std::string>& headers, const std::string& name) {
  std::string joined;
  auto [first, last] = headers.equal_range(name);
  for (auto it = first; it != last; ++it) joined += (it == first ? "" : ", ") + it->second;
  return joined;
}

bool ListHas(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (TrimBlanks(std::string(list.substr(0, comma))) == item) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

std::string Printable(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c != ' ' && !IsVisible(c)) c = '?';
  }
  return out;
}

Result<std::string> RequestText(const HttpRequest& request, const std::string& host_header) {
  if (!IsHeaderName(request.method))
    return Fail(ErrorCode::kInvalidArgument, "the request method is not a token");
  if (request.path.empty() || request.path.front() != '/' ||
      !std::all_of(request.path.begin(), request.path.end(), IsVisible)) {
    return Fail(ErrorCode::kInvalidArgument,
                "a request path must start with / and hold printable ASCII only");
  }
  std::string text = request.method + " " + request.path + " HTTP/1.1\r\nHost: " + host_header +
                     "\r\nAccept-Encoding: identity\r\n";
  bool has_agent = false;
  for (const auto& [name, value] : request.headers) {
    HELIX_TRY(CheckHeader(name, value));
    has_agent = has_agent || LowerCase(name) == "user-agent";
    text += name + ": " + value + "\r\n";
  }
  if (!has_agent) text += "User-Agent: helix-perf-cache/" HELIX_VERSION "\r\n";
  if (!request.body.empty() || (request.method != "GET" && request.method != "HEAD")) {
    text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  }
  return text + "\r\n" + request.body;
}

}  // namespace helix::net
