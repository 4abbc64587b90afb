#include "mcp/cli/tool_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/base/json_fields.h"
#include "mcp/cli/flag_values.h"
#include "mcp/protocol/arguments.h"
#include "mcp/protocol/schema_check.h"

namespace helix::mcp {
namespace {

bool IsPositional(const Tool& tool, const std::string& property) {
  return std::find(tool.positionals.begin(), tool.positionals.end(), property) != tool.positionals.end();
}

std::string HelpText(const Json& rule) {
  std::string text = StringAt(rule, "description").value_or("");
  text += (text.empty() ? "" : " ") + std::string("(") + DescribeExpected(rule);
  if (const Json* value = Find(rule, "default")) text += "; default " + DumpJson(*value);
  return text + ")";
}

void AddFlag(CLI::App& command, const Tool& tool, const std::string& property, const Json& rule,
             ToolWords& words) {
  const auto name = FlagName(property);
  if (StringAt(rule, "type") == "boolean") {
    command.add_flag_function(
        "--" + name + ",!--no-" + name,
        [&words, property](std::int64_t n) { words.switches[property] = n > 0; }, HelpText(rule));
    return;
  }
  const auto names = (IsPositional(tool, property) ? name + "," : std::string()) + "--" + name;
  auto* option = command.add_option(names, words.flags[property], HelpText(rule));
  const bool list = StringAt(rule, "type") == "array";
  option->type_name("");
  if (list) {
    option->take_all();
    if (!IsPositional(tool, property)) option->allow_extra_args(false);
  } else {
    option->expected(1)->allow_extra_args(false);  // or a first file would swallow the second
  }
}

bool HasQuickProfile(const Json& properties) {
  const Json* options = FindPath(properties, "profile/enum");
  return options != nullptr && std::find(options->begin(), options->end(), Json("quick")) != options->end();
}

// Bare words go to options in the order in which these were added.
void AddFlags(CLI::App& command, const Tool& tool, ToolWords& words) {
  const Json& properties = words.schema["properties"];
  for (const auto& name : tool.positionals) {
    if (const Json* rule = Find(properties, name)) AddFlag(command, tool, name, *rule, words);
  }
  for (const auto& [name, rule] : properties.items()) {
    if (!IsPositional(tool, name)) AddFlag(command, tool, name, rule, words);
  }
}

}  // namespace

CLI::App* AddToolCommand(CLI::App& app, const Tool& tool, ToolWords& words) {
  words.tool = &tool;
  words.schema = CommandLineSchema(tool);
  CLI::App* command = app.add_subcommand(tool.subcommand, tool.description);
  AddFlags(*command, tool, words);
  command->add_flag("--json", words.json, "Print the structured result");
  command->add_option("--args", words.args_json, "Arguments as a JSON object; single flags win over it")
      ->type_name("JSON");
  if (!words.schema["properties"].contains("report_dir")) {
    command->add_option("--report-dir", words.report_dir, "Folder for reports (HELIX_REPORT_DIR)")
        ->type_name("DIR");
  }
  if (HasQuickProfile(words.schema["properties"])) {
    command->add_flag("--quick", words.quick, "Short for --profile quick");
  }
  return command;
}

Result<Json> ToolArguments(const ToolWords& words) {
  Json arguments = Json::object();
  if (!words.args_json.empty()) {
    auto parsed = ParseJson(words.args_json);
    if (!parsed || !parsed->is_object()) {
      return Fail(ErrorCode::kInvalidArgument, "--args must be a JSON object",
                  parsed ? "it holds another kind of value" : parsed.error().message);
    }
    arguments = std::move(*parsed);
  }
  if (words.quick) arguments["profile"] = "quick";
  for (const auto& [property, given] : words.flags) {
    if (given.empty()) continue;
    auto value = FlagValue(property, words.schema["properties"][property], given);
    if (!value) return value;
    arguments[property] = std::move(*value);
  }
  for (const auto& [property, value] : words.switches) arguments[property] = value;
  return PrepareArguments(words.tool->subcommand, words.schema, std::move(arguments));
}

}  // namespace helix::mcp
