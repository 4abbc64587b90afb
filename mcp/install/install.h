// helix-perf-cache install: registers this program in a client, or takes it out again, and says what it did.
#pragma once
#include <iosfwd>
#include <string>

#include "core/base/settings.h"

namespace helix::mcp {

struct InstallOptions {
  std::string client;   // a name of Clients()
  std::string file;     // settings file; empty: the client's own, or its own command
  std::string http;     // register this URL instead of the command
  std::string command;  // absolute path of the binary to register
  bool uninstall = false;
  bool dry_run = false;  // say what would be done; change nothing
};

// Returns the exit code: 0 done or nothing to do, 2 not possible (what is wrong and what to do is on `err`).
int Install(const InstallOptions& options, const EnvReader& env, std::ostream& out, std::ostream& err);

// The path of the program that runs; empty when the system does not tell.
std::string OwnPath();

}  // namespace helix::mcp
