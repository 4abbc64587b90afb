// TLS over a connected stream: certificate and host name are always verified, TLS 1.2 or newer.
#pragma once
#include <memory>
#include <string>

#include "core/net/socket_stream.h"

namespace helix::net {

// Shakes hands as a client for `host` (a name or an IP literal). `ca_file`: PEM file of trusted roots; empty
// means the system's (SSL_CERT_FILE is obeyed). kUnavailable with the reason when the certificate is not
// accepted.
Result<std::unique_ptr<ByteStream>> StartTls(std::unique_ptr<ByteStream> below, const std::string& host,
                                             const std::string& ca_file, const IoLimits& limits);

}  // namespace helix::net
