// A schema as the narrowest clients can read it: some turn schemas into a dialect with one type a value, and
// drop a tool whose schema has a list of types.
#pragma once
#include "core/base/json.h"

namespace helix::mcp {

// Every list of types becomes the first one that is not null; where null is in the list the type is left out
// and put into words, since a value must still be allowed to be null. What a call is checked against stays
// the schema as it was written.
Json PortableSchema(Json schema);

}  // namespace helix::mcp
