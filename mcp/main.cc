// helix-perf-cache: the command line and the MCP server in one program.
#include <unistd.h>

#include <iostream>

#include "mcp/cli/command_line.h"
#include "mcp/serve/serve.h"
#include "mcp/signals.h"

int main(int argc, char** argv) {
  using namespace helix;
  const auto stop = mcp::StopOnSignals();
  const auto settings = SettingsFromEnvironment(ProcessEnvironment());
  mcp::CommandLineContext context{mcp::AllTools(), settings, std::cout, std::cerr, isatty(2) == 1, stop, {}};
  context.serve = [&stop](const mcp::ServeOptions& options, const Settings& configured) {
    return mcp::Serve(options, configured, mcp::AllTools(), stop);
  };
  return mcp::RunCommandLine(std::vector<std::string>(argv + 1, argv + argc), context);
}
