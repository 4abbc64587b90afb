#include "core/net/endpoint_policy.h"

#include <algorithm>

#include "core/net/http_text.h"
#include "core/net/ip_address.h"

namespace helix::net {
namespace {

constexpr const char* kForm = "give it as http://host:port, such as http://127.0.0.1:8080";

auto Malformed(const std::string& what) {
  return Fail(ErrorCode::kInvalidArgument, "the endpoint is not a plain URL: " + what, kForm);
}

bool IsLabel(std::string_view label) {
  auto ok = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-' &&
         std::all_of(label.begin(), label.end(), ok);
}

bool IsName(std::string_view host) {
  if (host.size() > 253) return false;
  for (;;) {
    const std::size_t dot = host.find('.');
    if (!IsLabel(host.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    host.remove_prefix(dot + 1);
  }
}

// WHATWG URL: a host whose last label is a number is read as an IPv4 address by browsers and many libraries.
bool EndsInNumber(const std::string& host) {
  const std::string last = host.substr(host.rfind('.') + 1);
  return ParseNumber(last, 10) || last.rfind("0x", 0) == 0 ||
         (!last.empty() && last.find_first_not_of("0123456789") == std::string::npos);
}

Status CheckHost(const std::string& host, bool bracketed) {
  const auto literal = ParseIpAddress(host);
  if (literal && (literal->family == AF_INET6) == bracketed) {
    const bool embedded = literal->family == AF_INET6 && literal->v6.s6_addr[0] == 0 &&
                          literal->Class() == AddressClass::kForbidden;
    const bool unspecified = literal->family == AF_INET && (ntohl(literal->v4.s_addr) >> 24) == 0;
    if (embedded || unspecified) return Malformed("its address is not one that a server can have");
    return {};
  }
  if (literal || bracketed || EndsInNumber(host)) return Malformed("its address is not in canonical form");
  if (!IsName(host)) return Malformed("its host is neither a name nor an address");
  return {};
}

Status SplitAuthority(const std::string& authority, Endpoint* endpoint) {
  std::string port;
  const bool bracketed = !authority.empty() && authority.front() == '[';
  const std::size_t host_end =
      bracketed ? authority.find(']') : std::min(authority.find(':'), authority.size());
  if (host_end == std::string::npos) return Malformed("a bracket is not closed");
  endpoint->host = LowerCase(authority.substr(bracketed ? 1 : 0, host_end - (bracketed ? 1 : 0)));
  const std::string rest = authority.substr(host_end + (bracketed ? 1 : 0));
  HELIX_TRY(CheckHost(endpoint->host, bracketed));
  endpoint->port = endpoint->scheme == "http" ? 80 : 443;
  if (rest.empty()) return {};
  const auto number = ParseNumber(rest.substr(1), 10);
  if (rest.front() != ':' || !number || *number == 0 || *number > 65535 || rest[1] == '0') {
    return Malformed("its port is not a number from 1 to 65535");
  }
  endpoint->port = static_cast<int>(*number);
  return {};
}

// kInvalidArgument for a list that the user got wrong: silently skipping an entry would look like a refusal.
Result<bool> OnList(const Endpoint& endpoint, const Settings& settings) {
  for (const std::string& item : settings.allowed_endpoints) {
    auto allowed = ParseEndpoint(item);
    if (!allowed) {
      return Fail(
          ErrorCode::kInvalidArgument,
          "HELIX_ALLOWED_ENDPOINTS has an entry that is not scheme://host:port: \"" + Printable(item) + "\"",
          kForm);
    }
    if (*allowed == endpoint) return true;
  }
  auto configured = ParseEndpoint(settings.endpoint);
  return configured && *configured == endpoint;
}

}  // namespace

std::string Endpoint::BaseUrl() const {
  const bool v6 = host.find(':') != std::string::npos;
  return scheme + "://" + (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<Endpoint> ParseEndpoint(const std::string& url) {
  const auto plain = [](char c) {
    return c > 0x20 && c < 0x7F && std::string_view("\\@?#%\"<>^`{|}").find(c) == std::string_view::npos;
  };
  if (url.size() > 2048) return Malformed("it is longer than 2048 characters");
  if (!std::all_of(url.begin(), url.end(), plain))
    return Malformed("it holds a character that has no place in it");
  const std::size_t mark = url.find("://");
  if (mark == std::string::npos) return Malformed("it has no scheme");
  Endpoint endpoint;
  endpoint.scheme = LowerCase(url.substr(0, mark));
  if (endpoint.scheme != "http" && endpoint.scheme != "https")
    return Malformed("its scheme is not http or https");
  const std::string rest = url.substr(mark + 3);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string path = rest.substr(slash);
  if (!path.empty() && path != "/" && path != "/v1" && path != "/v1/") return Malformed("it has a path");
  HELIX_TRY(SplitAuthority(rest.substr(0, slash), &endpoint));
  return endpoint;
}

bool IsLoopback(const Endpoint& endpoint) {
  if (endpoint.host == "localhost") return true;
  const auto literal = ParseIpAddress(endpoint.host);
  return literal && literal->Class() == AddressClass::kLoopback;
}

Result<Endpoint> CheckEndpoint(const std::string& url, const Settings& settings) {
  auto endpoint = ParseEndpoint(url);
  if (!endpoint || !settings.from_agent) return endpoint;
  if (IsLoopback(*endpoint) && endpoint->port >= 1024) return endpoint;
  auto listed = OnList(*endpoint, settings);
  if (!listed) return tl::make_unexpected(listed.error());
  if (*listed) return endpoint;
  const char* why = IsLoopback(*endpoint) ? " has a port below 1024, where model servers do not listen, and is not"
                                          : " is neither on this machine nor";
  return Fail(ErrorCode::kRefused, "the endpoint " + endpoint->BaseUrl() + why + " on the user's list",
              "the user can add it to HELIX_ALLOWED_ENDPOINTS and restart");
}

}  // namespace helix::net
