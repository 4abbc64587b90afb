// What proxies and servers are known to do to a request before its prompt is built.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/consistency/request_body.h"

namespace helix::consistency {

// Applies one known transform: "hoist_system" (every system message joined into the leading system text),
// "strip_attribution" (the client's attribution line removed), "drop_reasoning" (reasoning of earlier turns
// removed), "sort_keys" (objects re-serialised with sorted keys). "" and "none" change nothing.
// kInvalidArgument for another.
Result<RequestBody> ApplyTransform(const RequestBody& request, const std::string& name);

}  // namespace helix::consistency
