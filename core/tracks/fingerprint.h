// What a result depends on, in one digest: of model, template, flags and prefix. Of bytes, never of times.
#pragma once
#include <string>
#include <vector>

#include "core/tracks/target.h"

namespace helix::tracks {

// {"model", "template", "flags", "prefix", "sha256"}: a digest of each part (prefix: of the sorted prefix
// digests) and one over them. Parts that cannot be known are null.
Json FingerprintOf(const Target& target, const std::vector<std::string>& prefix_sha256);

// A report's fingerprint against the server that runs now: {"state": "current" | "stale" | "not_checkable",
// "differs":
// ["model", ...], "reason"}. Prefixes are the report's own and are not compared. Flags of a server that we
// started are known in a report and not of a running server that another hand started: then only what both
// show counts.
Json CompareFingerprint(const Json& report, const Target& running);

}  // namespace helix::tracks
