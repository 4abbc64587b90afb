#include "core/net/connector.h"

#include "core/net/tls_stream.h"

namespace helix::net {

Result<std::unique_ptr<ByteStream>> Connector::Open(const IoLimits& limits) {
  if (pinned_.empty()) {
    auto addresses = ResolveAndJudge(endpoint_.host, resolver_, limits.stall_ns, limits.stop);
    if (!addresses) return tl::make_unexpected(addresses.error());
    pinned_ = std::move(*addresses);
  }
  Error last;
  for (const IpAddress& address : pinned_) {
    auto socket = ConnectSocket(address, endpoint_.port, limits);
    if (socket) {
      if (endpoint_.scheme == "http") return std::unique_ptr<ByteStream>(std::move(*socket));
      return StartTls(std::move(*socket), endpoint_.host, ca_file_, limits);
    }
    last = socket.error();
    if (last.code == ErrorCode::kCancelled) return tl::make_unexpected(last);
  }
  return Fail(ErrorCode::kUnavailable, "nothing answered at " + endpoint_.BaseUrl() + ": " + last.message,
              "start the server, or name its address with --endpoint");
}

}  // namespace helix::net
