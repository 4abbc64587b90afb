#include "mcp/install/own_command.h"

#include <boost/process.hpp>
#include <iterator>

namespace helix::mcp {
namespace {

namespace bp = boost::process;

std::vector<std::string> Remove(const Client& client) {
  return {client.own_command, "mcp", "remove", "--scope", "user", kServerName};
}

}  // namespace

std::vector<std::vector<std::string>> RegisterCommands(const Client& client, const ServerAddress& to) {
  std::vector<std::string> add{client.own_command, "mcp", "add", "--scope", "user"};
  if (to.url.empty()) {
    add.insert(add.end(), {kServerName, "--", to.command, "serve"});
  } else {
    add.insert(add.end(), {"--transport", "http", kServerName, to.url});
  }
  return {Remove(client), add};
}

std::vector<std::vector<std::string>> UnregisterCommands(const Client& client) {
  return {Remove(client)};
}

Result<CommandOutcome> RunCommand(const std::vector<std::string>& words) {
  try {
    const auto program = bp::search_path(words.front());
    if (program.empty()) {
      return Fail(ErrorCode::kNotFound, words.front() + " is not on PATH",
                  "install the client, or name the settings file to edit with --file");
    }
    bp::ipstream pipe;
    bp::child child(program, bp::args(std::vector<std::string>(words.begin() + 1, words.end())),
                    (bp::std_out & bp::std_err) > pipe, bp::std_in < bp::null);
    CommandOutcome outcome;
    outcome.output.assign(std::istreambuf_iterator<char>(pipe), {});
    child.wait();
    outcome.exit_code = child.exit_code();
    return outcome;
  } catch (const std::exception& e) {
    return Fail(ErrorCode::kIo, words.front() + " could not be run: " + e.what(),
                "run it by hand to see why");
  }
}

}  // namespace helix::mcp
