// What is accepted as an endpoint means the same when it is written out and read again, and an agent is never
// given more than loopback and the list.
#include <cstdint>
#include <string>

#include "core/net/endpoint_policy.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string url(reinterpret_cast<const char*>(data), size);
  auto endpoint = helix::net::ParseEndpoint(url);
  helix::Settings agent;
  agent.endpoint = "http://localhost:18434";
  agent.from_agent = true;
  auto allowed = helix::net::CheckEndpoint(url, agent);
  if (!endpoint) {
    HELIX_REQUIRE(!allowed);
    return 0;
  }
  HELIX_REQUIRE(helix::net::ParseEndpoint(endpoint->BaseUrl()) == *endpoint);
  HELIX_REQUIRE(endpoint->port >= 1 && endpoint->port <= 65535);
  HELIX_REQUIRE(endpoint->host.find_first_of("@/\\%? \t") == std::string::npos);
  HELIX_REQUIRE(allowed.has_value() == (helix::net::IsLoopback(*endpoint) && endpoint->port >= 1024));
  return 0;
}
