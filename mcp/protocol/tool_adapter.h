// A tool of ours as the protocol shows it.
#pragma once
#include <functional>
#include <string>

#include "core/base/settings.h"
#include "mcp/protocol/catalog.h"
#include "mcp/tools/tool.h"

namespace helix::mcp {

// Keeps the whole of a result that had to be cut, and returns the URI at which it can be read; empty: not
// kept.
using KeepWhole = std::function<std::string(const Json& result)>;

// `settings.from_agent` is set for every call.
ServerTool AdaptTool(const Tool& tool, const Settings& settings, const KeepWhole& keep = {});

// The tool's output schema with the two members that a cut result carries more.
Json PublishedOutputSchema(const Tool& tool);

// A CallToolResult: the same JSON as text and as structuredContent.
Json StructuredResult(const Json& value);
// A CallToolResult with isError.
Json ErrorResult(const std::string& text);

}  // namespace helix::mcp
