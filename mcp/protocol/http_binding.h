// What the HTTP binding demands of a message: headers that mirror its body. Pure; the transport hands the
// headers in.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/protocol/catalog.h"

namespace helix::mcp {

// Names in lower case, values trimmed.
using Headers = std::vector<std::pair<std::string, std::string>>;
// The first value, or nullptr.
const std::string* FindHeader(const Headers& headers, std::string_view name);

// "=?base64?...?=" decoded, anything else as it is; false: the markers are there but what they hold is not
// base64.
bool DecodeHeaderValue(std::string_view value, std::string& decoded);

// Errors of a message that came over HTTP: a version header that is unknown (-32022) or says the modern
// revision while the body does not (-32602); in the modern era headers that are missing or differ from the
// body (-32020).
RpcResult<void> CheckHeaders(const Headers& headers, const Message& message, const Catalog& catalog);

}  // namespace helix::mcp
