#include "mcp/protocol/versions.h"

#include <algorithm>

namespace helix::mcp {

bool IsLegacyVersion(std::string_view version) {
  return std::find(kLegacyVersions.begin(), kLegacyVersions.end(), version) != kLegacyVersions.end();
}

std::string_view NegotiateLegacy(std::string_view requested) {
  const auto* found = std::find(kLegacyVersions.begin(), kLegacyVersions.end(), requested);
  return found != kLegacyVersions.end() ? *found : kNewestLegacy;
}

}  // namespace helix::mcp
