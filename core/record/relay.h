// One request handed on and its reply handed back, byte for byte.
#pragma once
#include "core/net/connector.h"
#include "core/record/capture_writer.h"
#include "core/record/request_reader.h"

namespace helix::record {

// Opens its own connection to `upstream`. The client gets the reply's bytes as they come; when the upstream
// gives none, a 502 or 504 that says why. Returns what was seen.
Exchange Relay(const ClientRequest& request, const net::Endpoint& upstream, net::ByteStream& client,
               double stall_s, const std::stop_token& stop);

}  // namespace helix::record
