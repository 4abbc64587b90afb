// What a hosted call's failure means for the caller: try again, when, or not at all.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"
#include "core/net/http_client.h"

namespace helix::backend {

// "0.5", "30" or an HTTP date, as a wait from `now_epoch_s`; never negative. nullopt when it is neither.
std::optional<Millis> ParseRetryAfter(std::string_view value, std::int64_t now_epoch_s);

struct HttpFailure {
  std::string kind;  // "rate_limited", "spend_cap", "overloaded", "authentication", "billing", "refused",
                     // "server_error"
  std::string message;
  bool retry = false;
  Millis wait{0};
};
// For a status other than 2xx. A spend cap looks like a rate limit without retry-after: it is never retried.
HttpFailure ReadHttpFailure(const net::HttpResponse& response, const std::string& body,
                            std::int64_t now_epoch_s);

}  // namespace helix::backend
