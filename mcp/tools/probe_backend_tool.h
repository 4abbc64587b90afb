// probe_backend: what a model server can do, with a known-warm pair as proof.
#pragma once
#include "mcp/tools/tool.h"

namespace helix::mcp {

Tool ProbeBackendTool();

}  // namespace helix::mcp
