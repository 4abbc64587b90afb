// Cache writes by lifetime, as Anthropic's usage splits them.
#pragma once
#include "core/base/json.h"
#include "core/usage/settle.h"

namespace helix::usage {

// Reads cache_creation_input_tokens and cache_creation.ephemeral_{5m,1h}_input_tokens of `usage` into the
// draft. Flags: partial_split (the rest of the total is a 5m write), inconsistent (the parts exceed the
// total; the parts count), unknown_write_ttl (a lifetime this reader has no name for: write_other),
// write_ttl_not_reported (no split at all: 5m, the API's default lifetime, derived).
void ReadWriteSplit(const Json& usage, Draft& draft, Usage& out);

}  // namespace helix::usage
