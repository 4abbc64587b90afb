// One request handed on and its reply handed back, byte for byte.
#pragma once
#include <cstdint>
#include <stop_token>

#include "core/net/connector.h"
#include "core/record/capture_writer.h"
#include "core/record/request_reader.h"

namespace helix::record {

struct RelayLimits {
  std::int64_t client_stall_ns = 0;  // longest silence of the client within its request
  std::int64_t upstream_stall_ns = 0;
  std::stop_token stop;
};

// Reads the rest of `request` and opens its own connection to `upstream`; every piece of the request is on
// its way before the next is read. The client gets the reply's bytes as they come; when the upstream gives
// none, a 502 or 504 that says why. Returns what was seen. Errors are those of ReadBody: there was no whole
// request.
Result<Exchange> Relay(ClientRequest request, const net::Endpoint& upstream, net::ByteStream& client,
                       const RelayLimits& limits);

}  // namespace helix::record
