// Methods that only read the catalog. Both eras share them; what an era adds to a result is added outside.
#pragma once
#include <string>

#include "mcp/protocol/catalog.h"

namespace helix::mcp {

RpcResult<Json> ListTools(const Catalog& catalog, const Json& params);
RpcResult<Json> ListPrompts(const Catalog& catalog, const Json& params);
RpcResult<Json> ListResources(const Catalog& catalog, const Json& params);
RpcResult<Json> ListResourceTemplates(const Catalog& catalog, const Json& params);
// A missing resource is -32002 in the legacy era and -32602 in the modern one, both with data.uri.
RpcResult<Json> ReadResource(const Catalog& catalog, const Json& params, Era era);
// Fills in what a prompt misses: -32602 for an unknown prompt or a missing required argument.
RpcResult<Json> GetPrompt(const Catalog& catalog, const Json& params, Call& call);
// completion/complete: at most 100 values, with the total.
RpcResult<Json> CompleteArgument(const Catalog& catalog, const Json& params);

}  // namespace helix::mcp
