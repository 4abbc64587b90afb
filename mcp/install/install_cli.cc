#include "mcp/install/install_cli.h"

#include <CLI/CLI.hpp>

#include "mcp/install/client.h"

namespace helix::mcp {

void AddInstallCommand(CLI::App& app, InstallOptions& options) {
  std::string names;
  for (const auto& client : Clients()) names += (names.empty() ? "" : ", ") + client.name;
  auto* install = app.add_subcommand(
      "install", "Register this program in a client, by the client's own command or settings file");
  install->add_option("--client", options.client, "One of: " + names)->required()->type_name("NAME");
  install->add_option("--file", options.file, "Settings file to edit instead of the client's usual place")
      ->type_name("FILE");
  install->add_option("--http", options.http, "Register a server that runs at this URL instead of a command")
      ->type_name("URL");
  install->add_flag("--uninstall", options.uninstall, "Take the registration out again");
  install->add_flag("--dry-run", options.dry_run, "Say what would be done and change nothing");
  options.command = OwnPath();
}

}  // namespace helix::mcp
