// A schema as the narrowest clients can read it: some turn schemas into a dialect with one type a value, and
// drop a tool whose schema has a list of types.
#pragma once
#include "core/base/json.h"

namespace helix::mcp {

// A list of types becomes its first one; with null in it, it becomes `anyOf` one schema a type, which the
// same clients read. What a call is checked against stays the schema as it was written.
Json PortableSchema(Json schema);

}  // namespace helix::mcp
