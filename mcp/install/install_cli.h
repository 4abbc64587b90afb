// The subcommand "install" on the command line.
#pragma once
#include "mcp/install/install.h"

namespace CLI {
class App;
}

namespace helix::mcp {

// Adds the subcommand and binds its flags to `options`, which must outlive the parse.
void AddInstallCommand(CLI::App& app, InstallOptions& options);

}  // namespace helix::mcp
