// The request that asks a question in JSON.
#pragma once
#include <string>

#include "core/base/json.h"
#include "core/net/http_client.h"

namespace helix::net {

// POST of `body` as application/json; `bearer_key` goes into the authorization header, "" sends none. Limits
// are those of HttpRequest.
HttpRequest JsonPost(const std::string& path, const Json& body, const std::string& bearer_key = {});

}  // namespace helix::net
