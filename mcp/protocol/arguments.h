// Arguments of a tool call made ready for its handler.
#pragma once
#include "core/base/json.h"
#include "core/base/result.h"
#include "mcp/tools/tool.h"

namespace helix::mcp {

// The schema as it is published: the tool's own, closed to names that it does not list.
Json PublishedInputSchema(const Tool& tool);
// The same with what only the command line takes and the command line's own defaults.
Json CommandLineSchema(const Tool& tool);

// `arguments` checked against `schema`, absent ones filled in from its defaults. `wait_for_previous`, which
// one client adds to every call, is dropped first unless the schema has it; null stands for absent.
// kInvalidArgument lists everything that is wrong, in words that can be acted on.
Result<Json> PrepareArguments(const std::string& tool_name, const Json& schema, Json arguments);

}  // namespace helix::mcp
