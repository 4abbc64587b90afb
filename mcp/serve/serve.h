// Runs the server over the transport that the command line chose.
#pragma once
#include <stop_token>

#include "core/base/settings.h"
#include "mcp/cli/command_line.h"

namespace helix::mcp {

// Returns the exit code: 0 after the input ended or a stop, 2 when it could not start.
int Serve(const ServeOptions& options, const Settings& settings, ToolSource tools, std::stop_token stop);

}  // namespace helix::mcp
