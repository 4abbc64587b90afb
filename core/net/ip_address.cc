#include "core/net/ip_address.h"

#include <arpa/inet.h>

#include <cstring>

namespace helix::net {
namespace {

AddressClass ClassOfV4(std::uint32_t a) {
  auto in = [a](std::uint32_t net, int bits) { return (a >> (32 - bits)) == (net >> (32 - bits)); };
  if (in(0x7F000000, 8)) return AddressClass::kLoopback;
  if (in(0x0A000000, 8) || in(0xAC100000, 12) || in(0xC0A80000, 16) || in(0x64400000, 10)) {
    return AddressClass::kPrivate;
  }
  // 0/8 "this network", 169.254/16 link-local, 224/4 multicast, 240/4 reserved and broadcast.
  if (in(0, 8) || in(0xA9FE0000, 16) || in(0xE0000000, 3)) return AddressClass::kForbidden;
  return AddressClass::kPublic;
}

AddressClass ClassOfV6(const in6_addr& a) {
  if (IN6_IS_ADDR_LOOPBACK(&a)) return AddressClass::kLoopback;
  // ::/8 holds the unspecified, IPv4-mapped, IPv4-compatible and 64:ff9b translated addresses.
  if (a.s6_addr[0] == 0x00) return AddressClass::kForbidden;
  if ((a.s6_addr[0] & 0xFE) == 0xFC) return AddressClass::kPrivate;
  if (IN6_IS_ADDR_LINKLOCAL(&a) || IN6_IS_ADDR_SITELOCAL(&a) || IN6_IS_ADDR_MULTICAST(&a)) {
    return AddressClass::kForbidden;
  }
  // 2002::/16 (6to4) carries any IPv4 address inside.
  if (a.s6_addr[0] == 0x20 && a.s6_addr[1] == 0x02) return AddressClass::kForbidden;
  return AddressClass::kPublic;
}

}  // namespace

std::string IpAddress::Text() const {
  char text[INET6_ADDRSTRLEN] = {};
  const void* source = family == AF_INET ? static_cast<const void*>(&v4) : static_cast<const void*>(&v6);
  return inet_ntop(family, source, text, sizeof text) == nullptr ? std::string() : std::string(text);
}

AddressClass IpAddress::Class() const {
  return family == AF_INET ? ClassOfV4(ntohl(v4.s_addr)) : ClassOfV6(v6);
}

std::optional<IpAddress> ParseIpAddress(const std::string& text) {
  IpAddress address;
  if (inet_pton(AF_INET, text.c_str(), &address.v4) != 1) {
    address.family = AF_INET6;
    if (inet_pton(AF_INET6, text.c_str(), &address.v6) != 1) return std::nullopt;
  }
  if (address.Text() != text) return std::nullopt;
  return address;
}

}  // namespace helix::net
