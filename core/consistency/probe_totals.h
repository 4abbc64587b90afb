// The server's own totals around a pair of requests, against what the replies said.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/run_context.h"
#include "core/net/http_client.h"

namespace helix::consistency {

struct ServerTotals {
  std::optional<std::int64_t> prompt;  // all prompt tokens
  std::optional<std::int64_t> cached;  // reused ones
};

// From /metrics of a server of this kind; nullopt where it has none or shows none of these.
std::optional<ServerTotals> ReadTotals(net::HttpClient& client, const std::string& kind,
                                       const std::string& api_key, const RunContext& context);
// The same after requests, read until it has moved and two readings agree, for a second at most.
std::optional<ServerTotals> ReadSettledTotals(net::HttpClient& client, const std::string& kind,
                                              const std::string& api_key, const ServerTotals& before,
                                              const RunContext& context);

// {"available", "prompt_delta", "cached_delta", "agrees": true | false | null, "note"}. `prompt` and `cached`
// are the sums that the replies reported, absent where one did not. agrees is null where one side has no
// number.
Json Reconcile(const std::optional<ServerTotals>& before, const std::optional<ServerTotals>& after,
               const std::optional<std::int64_t>& prompt, const std::optional<std::int64_t>& cached);

}  // namespace helix::consistency
