// One tool as a subcommand: its flags come from its schema.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "mcp/tools/tool.h"

namespace CLI {
class App;
}

namespace helix::mcp {

// What the words of one subcommand said. Lives as long as the App that fills it.
struct ToolWords {
  const Tool* tool = nullptr;
  Json schema;                                            // CommandLineSchema of the tool
  std::map<std::string, std::vector<std::string>> flags;  // property -> words
  std::map<std::string, bool> switches;                   // boolean property -> given value
  std::string args_json;
  std::string report_dir;
  bool json = false;
  bool quick = false;
};

// Adds the subcommand and binds its flags to `words`.
CLI::App* AddToolCommand(CLI::App& app, const Tool& tool, ToolWords& words);

// --args first, single flags over it, then checked and completed from the schema's defaults.
Result<Json> ToolArguments(const ToolWords& words);

}  // namespace helix::mcp
