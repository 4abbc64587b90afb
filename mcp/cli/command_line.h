// The program's command line: serve, every tool as a subcommand, --version, --print-tools markdown.
#pragma once
#include <functional>
#include <iosfwd>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/settings.h"
#include "mcp/tools/tool.h"

namespace helix::mcp {

struct ServeOptions {
  std::string http;  // HOST:PORT; empty: stdio
  bool conformance_fixtures = false;
};

// What the command line needs from its surroundings; replaced in tests.
struct CommandLineContext {
  const std::vector<Tool>& tools;
  Settings settings;  // from the environment
  std::ostream& out;
  std::ostream& err;
  bool progress = false;  // show progress on `err`
  std::stop_token stop;   // SIGINT and SIGTERM
  std::function<int(const ServeOptions&, const Settings&)> serve;
};

// `words` without the program's name. Returns the exit code.
int RunCommandLine(std::vector<std::string> words, const CommandLineContext& context);

}  // namespace helix::mcp
