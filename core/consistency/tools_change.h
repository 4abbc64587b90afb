// Why two tool lists differ.
#pragma once
#include "core/consistency/cause.h"
#include "core/consistency/first_divergence.h"

namespace helix::consistency {

// TOOLS_REORDERED (same set in another order), TOOL_SCHEMA_KEY_ORDER (equal as JSON), TOOLS_CHANGED
// otherwise, with the names of tools that came or went. `at` is the first difference in the tools part.
Cause ExplainToolsChange(const RequestBody& a, const RequestBody& b, const Divergence& at);

}  // namespace helix::consistency
