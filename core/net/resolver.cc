#include "core/net/resolver.h"

#include <netdb.h>

#include <future>
#include <thread>

#include "core/base/clock.h"

namespace helix::net {
namespace {

Result<std::vector<IpAddress>> AskSystem(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  int code = getaddrinfo(host.c_str(), nullptr, &hints, &list);
  if (code != 0) {
    return Fail(ErrorCode::kUnavailable, "the name " + host + " could not be resolved: " + gai_strerror(code),
                "check the endpoint's spelling and the machine's name service");
  }
  std::vector<IpAddress> found;
  for (const addrinfo* item = list; item != nullptr; item = item->ai_next) {
    IpAddress address;
    address.family = item->ai_family;
    if (item->ai_family == AF_INET) {
      address.v4 = reinterpret_cast<const sockaddr_in*>(item->ai_addr)->sin_addr;
    } else if (item->ai_family == AF_INET6) {
      address.v6 = reinterpret_cast<const sockaddr_in6*>(item->ai_addr)->sin6_addr;
    } else {
      continue;
    }
    found.push_back(address);
  }
  freeaddrinfo(list);
  return found;
}

Result<std::vector<IpAddress>> Judge(const std::string& host, std::vector<IpAddress> addresses) {
  if (addresses.empty()) return Fail(ErrorCode::kUnavailable, "the name " + host + " has no address");
  for (const IpAddress& address : addresses) {
    if (address.Class() == AddressClass::kForbidden || address.Class() != addresses.front().Class()) {
      return Fail(
          ErrorCode::kRefused,
          "the name " + host + " resolves to " + address.Text() + ", which a server's name must not point to",
          "name the server by its own address");
    }
  }
  return addresses;
}

// The thread may outlive this call (getaddrinfo cannot be interrupted), so it owns all that it touches.
Result<std::vector<IpAddress>> AskInThread(const std::string& host, const Resolver& resolver,
                                           std::int64_t timeout_ns, const std::stop_token& stop) {
  auto promise = std::make_shared<std::promise<Result<std::vector<IpAddress>>>>();
  auto answer = promise->get_future();
  std::thread([promise, host, resolver] { promise->set_value(resolver(host)); }).detach();
  const std::int64_t deadline = SteadyNowNs() + timeout_ns;
  while (answer.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) {
    if (stop.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped while resolving " + host);
    if (SteadyNowNs() > deadline)
      return Fail(ErrorCode::kTimeout, "the name " + host + " was not resolved in time");
  }
  return answer.get();
}

}  // namespace

Resolver SystemResolver() {
  return AskSystem;
}

Result<std::vector<IpAddress>> ResolveAndJudge(const std::string& host, const Resolver& resolver,
                                               std::int64_t timeout_ns, const std::stop_token& stop) {
  if (host == "localhost")
    return std::vector<IpAddress>{*ParseIpAddress("127.0.0.1"), *ParseIpAddress("::1")};
  if (auto literal = ParseIpAddress(host)) return std::vector<IpAddress>{*literal};
  auto addresses = AskInThread(host, resolver, timeout_ns, stop);
  if (!addresses) return addresses;
  return Judge(host, std::move(*addresses));
}

}  // namespace helix::net
