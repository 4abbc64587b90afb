#include "mcp/transport/http_rules.h"

#include <algorithm>

namespace helix::mcp {
namespace {

constexpr std::string_view kEndpoint = "/mcp";

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

bool IsPort(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool IsHostChar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '-' ||
         c == ':' || c == '[' || c == ']' || c == '_';
}

bool KnownHost(const std::string& host, const HttpPolicy& policy) {
  if (host == "localhost" || host == "127.0.0.1" || host == "[::1]") return true;
  return !host.empty() && std::find(policy.hosts.begin(), policy.hosts.end(), host) != policy.hosts.end();
}

// An address cannot be rebound by a name server; it is taken where a token protects the rest.
bool IsAddress(const std::string& host) {
  const bool v4 = !host.empty() && host.find_first_not_of("0123456789.") == std::string::npos;
  return v4 || (host.size() > 2 && host.front() == '[');
}

std::string MediaType(std::string_view value) {
  value = value.substr(0, value.find(';'));
  while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  return Lower(value);
}

bool Authorized(const HttpRequest& request, const HttpPolicy& policy) {
  if (policy.token.empty()) return true;
  const auto* header = FindHeader(request.headers, "authorization");
  constexpr std::string_view kScheme = "bearer ";
  if (header == nullptr || header->size() <= kScheme.size()) return false;
  return Lower(std::string_view(*header).substr(0, kScheme.size())) == kScheme &&
         SameSecret(std::string_view(*header).substr(kScheme.size()), policy.token);
}

std::optional<Refusal> CheckContent(const HttpRequest& request) {
  const auto* type = FindHeader(request.headers, "content-type");
  if (type == nullptr || MediaType(*type) != "application/json") {
    return Refusal{415, "the Content-Type must be application/json", ""};
  }
  const auto* encoding = FindHeader(request.headers, "content-encoding");
  if (encoding != nullptr && Lower(*encoding) != "identity") {
    return Refusal{415, "a compressed body is not taken", ""};
  }
  const auto accepts = AcceptedTypes(request);
  if (!accepts.json && !accepts.events) {
    return Refusal{406, "the client must accept application/json or text/event-stream", ""};
  }
  return std::nullopt;
}

}  // namespace

std::string HostOnly(std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsHostChar)) return "";
  std::size_t end = text[0] == '[' ? text.find(']') : text.find(':');
  if (text[0] == '[') {
    if (end == std::string_view::npos) return "";
    ++end;
  }
  end = std::min(end, text.size());
  if (end < text.size() && (text[end] != ':' || !IsPort(text.substr(end + 1)))) return "";
  return Lower(text.substr(0, end));
}

std::string OriginHost(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.substr(0, scheme.size()) == scheme) return HostOnly(origin.substr(scheme.size()));
  }
  return "";
}

bool SameSecret(std::string_view given, std::string_view expected) {
  unsigned char difference = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = expected.empty() ? '\0' : expected[i % expected.size()];
    difference = static_cast<unsigned char>(difference | (given[i] ^ other));
  }
  return difference == 0;
}

Accepts AcceptedTypes(const HttpRequest& request) {
  const auto* accept = FindHeader(request.headers, "accept");
  if (accept == nullptr) return {};
  Accepts accepts{false, false};
  std::string_view rest = *accept;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto type = MediaType(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    accepts.json = accepts.json || type == "application/json" || type == "application/*" || type == "*/*";
    accepts.events = accepts.events || type == "text/event-stream" || type == "text/*";
  }
  return accepts;
}

std::optional<Refusal> CheckRequest(const HttpRequest& request, const HttpPolicy& policy) {
  const auto* host = FindHeader(request.headers, "host");
  const auto name = host != nullptr ? HostOnly(*host) : std::string();
  if (host != nullptr && !KnownHost(name, policy) && (policy.token.empty() || !IsAddress(name))) {
    return Refusal{403, "this Host is not served: use localhost, or name it in HELIX_MCP_ALLOWED_HOSTS", ""};
  }
  for (const auto& [header, value] : request.headers) {
    if (header == "origin" && !KnownHost(OriginHost(value), policy)) {
      return Refusal{403, "this Origin is not allowed", ""};
    }
  }
  if (request.path != kEndpoint) return Refusal{404, "there is nothing here; the endpoint is /mcp", ""};
  if (!Authorized(request, policy)) {
    return Refusal{401, "a bearer token is needed", "WWW-Authenticate: Bearer\r\n"};
  }
  if (request.method != "POST") return Refusal{405, "the endpoint takes POST only", "Allow: POST\r\n"};
  return CheckContent(request);
}

}  // namespace helix::mcp
