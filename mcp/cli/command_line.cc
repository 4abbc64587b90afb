#include "mcp/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <list>
#include <ostream>

#include "core/base/json_fields.h"
#include "core/base/writable.h"
#include "mcp/cli/exit_code.h"
#include "mcp/cli/plain_text.h"
#include "mcp/cli/tool_command.h"
#include "mcp/cli/tool_table.h"
#include "mcp/install/install_cli.h"
#include "mcp/record/record_cli.h"

namespace helix::mcp {
namespace {

RunContext ProgressTo(const CommandLineContext& context) {
  RunContext run{context.stop, {}};
  if (!context.progress) return run;
  run.progress = [&err = context.err](const Progress& p) {
    err << "\r\033[K" << p.message;
    if (p.total > 0) err << " (" << p.done << " of " << p.total << ")";
    err << std::flush;
  };
  return run;
}

int PrintError(const Error& error, bool json, const CommandLineContext& context) {
  context.err << "error: " << error.Text() << "\n";
  if (json) {
    const Json body{{"code", ErrorCodeName(error.code)}, {"message", error.message}, {"hint", error.hint}};
    context.out << DumpPretty(Json{{"error", body}}) << "\n";
  }
  return ExitCode(error);
}

int RunTool(const ToolWords& words, const CommandLineContext& context) {
  auto arguments = ToolArguments(words);
  if (!arguments) return PrintError(arguments.error(), words.json, context);
  // A run can take minutes: what it may not write at its end is said before it.
  if (const auto out = StringAt(*arguments, "out")) {
    if (auto writable = RequireWritable(*out); !writable)
      return PrintError(writable.error(), words.json, context);
  }
  Settings settings = context.settings;
  if (!words.report_dir.empty()) settings.report_dir = words.report_dir;
  auto result = words.tool->handler(*arguments, settings, ProgressTo(context));
  if (context.progress) context.err << "\r\033[K" << std::flush;
  if (!result) return PrintError(result.error(), words.json, context);
  const auto& render = words.tool->render;
  context.out << (words.json ? DumpPretty(*result) + "\n"
                  : render   ? render(*result)
                             : PlainText(*result))
              << std::flush;
  if (!context.out) {  // a full disk: the exit code must not pass for a result that nobody has
    context.err << "error: the result could not be written to standard output\n";
    return kExitUsage;
  }
  return ExitCode(*result);
}

// CLI11 has exit codes of its own; ours are 0 for help and version, 2 for everything it refuses.
int ParseFailure(const CLI::App& app, const CLI::ParseError& error, const CommandLineContext& context) {
  return app.exit(error, context.out, context.err) == 0 ? 0 : kExitUsage;
}

void AddServe(CLI::App& app, ServeOptions& options) {
  auto* serve =
      app.add_subcommand("serve", "Serve the tools over MCP: on stdin and stdout unless --http is given");
  serve->add_option("--http", options.http, "Serve Streamable HTTP at HOST:PORT, endpoint /mcp")
      ->type_name("HOST:PORT");
  serve->add_flag("--conformance-fixtures", options.conformance_fixtures)->group("");
}

}  // namespace

int RunCommandLine(std::vector<std::string> words, const CommandLineContext& context) {
  CLI::App app("Measured, checkable numbers about LLM inference caching", "helix-perf-cache");
  app.set_version_flag("--version", std::string("helix-perf-cache ") + HELIX_VERSION);
  app.require_subcommand(0, 1);
  std::string print_tools;
  app.add_option("--print-tools", print_tools, "Print the table of tools")
      ->check(CLI::IsMember({"markdown"}));
  ServeOptions serve;
  AddServe(app, serve);
  InstallOptions install;
  record::RecorderOptions recording;
  std::list<ToolWords> all_words;
  // A client waits for the start of a server, and the other commands are most of it.
  if (words.empty() || words.front() != "serve") {
    AddInstallCommand(app, install);
    AddRecordCommand(app, recording);
    for (const auto& tool : context.tools) AddToolCommand(app, tool, all_words.emplace_back());
  }
  std::reverse(words.begin(), words.end());  // the order that CLI11 takes
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return ParseFailure(app, error, context);
  }
  if (!print_tools.empty()) {
    context.out << ToolTableMarkdown(context.tools);
    return 0;
  }
  const auto given = app.get_subcommands();
  if (given.empty()) {
    context.err << app.help();
    return kExitUsage;
  }
  if (given.front()->get_name() == "serve") return context.serve(serve, context.settings);
  if (given.front()->get_name() == "record") return Record(recording, context.stop, context.err);
  if (given.front()->get_name() == "install") {
    return Install(install, ProcessEnvironment(), context.out, context.err);
  }
  for (const auto& tool_words : all_words) {
    if (tool_words.tool->subcommand == given.front()->get_name()) return RunTool(tool_words, context);
  }
  return kExitUsage;
}

}  // namespace helix::mcp
