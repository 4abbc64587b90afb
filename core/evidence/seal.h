// Digests of the parts of a report, so that a changed digit is not only noticed but found.
#pragma once
#include <optional>
#include <string>

#include "core/base/json.h"

namespace helix::evidence {

// {"/plan": sha256, "/samples/0": sha256, ...}: one per member of the report, one per entry of its lists,
// over canonical JSON. The member "integrity" itself is left out.
Json SealsOf(const Json& report);

// The JSON pointer of the first part that does not hash to report["integrity"], or that was added or removed;
// nullopt when all parts hold. "/integrity" when there are no seals.
std::optional<std::string> FirstBrokenSeal(const Json& report);

}  // namespace helix::evidence
