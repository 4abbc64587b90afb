// helix-perf-cache: the command line and the MCP server in one program.
#include <unistd.h>

#include <iostream>

#include "mcp/cli/command_line.h"
#include "mcp/signals.h"

int main(int argc, char** argv) {
  using namespace helix;
  std::vector<std::string> words(argv + 1, argv + argc);
  mcp::CommandLineContext context{mcp::AllTools(),
                                  SettingsFromEnvironment(ProcessEnvironment()),
                                  std::cout,
                                  std::cerr,
                                  isatty(2) == 1,
                                  mcp::StopOnSignals(),
                                  {}};
  context.serve = [](const mcp::ServeOptions&, const Settings&) {
    std::cerr << "error: this build has no transport\n";
    return 2;
  };
  return mcp::RunCommandLine(std::move(words), context);
}
