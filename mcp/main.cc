// helix-perf-cache: the command line and the MCP server in one program.
#include <unistd.h>

#include <iostream>
#include <string_view>

#include "mcp/cli/command_line.h"
#include "mcp/serve/serve.h"
#include "mcp/signals.h"

int main(int argc, char** argv) {
  using namespace helix;
  const auto stop = mcp::StopOnSignals();
  const auto settings = SettingsFromEnvironment(ProcessEnvironment());
  static const std::vector<mcp::Tool> none;  // a server makes its tools when one is asked for
  const bool serving = argc > 1 && std::string_view(argv[1]) == "serve";
  mcp::CommandLineContext context{
      serving ? none : mcp::AllTools(), settings, std::cout, std::cerr, isatty(2) == 1, stop, {}};
  context.serve = [&stop](const mcp::ServeOptions& options, const Settings& configured) {
    return mcp::Serve(options, configured, mcp::AllTools, stop);
  };
  return mcp::RunCommandLine(std::vector<std::string>(argv + 1, argv + argc), context);
}
