// IP literals: read by inet_pton alone and judged on the binary form.
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>
#include <string>

namespace helix::net {

enum class AddressClass {
  kLoopback,  // 127.0.0.0/8, ::1
  kPrivate,   // RFC 1918, RFC 6598 shared space, fc00::/7
  kPublic,
  kForbidden,  // unspecified, link-local (cloud metadata), multicast, reserved, IPv4 inside IPv6
};

struct IpAddress {
  int family = AF_INET;  // AF_INET or AF_INET6
  in_addr v4{};
  in6_addr v6{};

  // The canonical spelling, without brackets.
  [[nodiscard]] std::string Text() const;
  [[nodiscard]] AddressClass Class() const;
};

// Only the canonical spelling is read: no octal, hexadecimal, short or decimal IPv4, no zone, no brackets.
std::optional<IpAddress> ParseIpAddress(const std::string& text);

}  // namespace helix::net
