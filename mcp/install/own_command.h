// Registration through a client's own command, for a client whose file is also its running state.
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "mcp/install/client.h"

namespace helix::mcp {

// Words of the commands that register or unregister, program first. Removal comes before an addition, since
// these commands refuse a name that is there already; only the last one has to succeed.
std::vector<std::vector<std::string>> RegisterCommands(const Client& client, const ServerAddress& to);
std::vector<std::vector<std::string>> UnregisterCommands(const Client& client);

struct CommandOutcome {
  int exit_code = 0;
  std::string output;  // both streams
};

// Runs the program found on PATH and waits for it. Error kNotFound: there is no such program.
Result<CommandOutcome> RunCommand(const std::vector<std::string>& words);

}  // namespace helix::mcp
