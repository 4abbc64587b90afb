#include "mcp/tools/diagnose_session_tool.h"

#include <filesystem>

#include "core/base/json_fields.h"
#include "core/consistency/session_diagnosis.h"

namespace helix::mcp {
namespace {

constexpr std::size_t kAgentTurns = 40;  // keeps an agent's answer short
constexpr std::size_t kUserTurns = 100000;

Json InputSchema() {
  Json properties{
      {"files",
       Json{{"type", "array"},
            {"items", {{"type", "string"}}},
            {"minItems", 1},
            {"description",
             "Claude Code session logs (*.jsonl), captures written by `record`, or folders of them."}}},
      {"backend", Json{{"type", "string"},
                       {"description", "For captures: who answered (anthropic, llama-server, vllm, ...)."}}},
      {"prices", Json{{"type", "string"},
                      {"description", "A price file of your own; its rows win over the built-in ones."}}}};
  return Json{
      {"type", "object"}, {"properties", std::move(properties)}, {"required", Json::array({"files"})}};
}

// An agent may name logs and folders of them, nothing else of this machine.
bool AgentMayRead(const std::string& path) {
  std::error_code error;
  return std::filesystem::path(path).extension() == ".jsonl" || std::filesystem::is_directory(path, error);
}

Result<Json> Run(const Json& arguments, const Settings& settings, const RunContext& context) {
  consistency::SessionOptions options;
  if (const Json* files = Find(arguments, "files"))
    for (const Json& file : *files) options.paths.push_back(file.get<std::string>());
  for (const std::string& path : options.paths)
    if (settings.from_agent && !AgentMayRead(path))
      return Fail(ErrorCode::kRefused, "an agent can name *.jsonl files and folders of them only",
                  "rename the log to *.jsonl");
  options.backend = StringAt(arguments, "backend").value_or("");
  options.most_turns = settings.from_agent ? kAgentTurns : kUserTurns;
  auto prices = cost::LoadPrices(settings.from_agent ? "" : StringAt(arguments, "prices").value_or(""));
  if (!prices) return tl::make_unexpected(prices.error());
  return consistency::DiagnoseSessions(options, *prices, context);
}

std::string Number(const Json& result, const char* path) {
  const auto value = IntAt(result, path);
  return value ? std::to_string(*value) : "not reported";
}

std::string Render(const Json& result) {
  std::string text = StringAt(result, "verdict").value_or("") + "\n";
  const bool log = StringAt(result, "source") == "session_log";
  text += "  read " + Number(result, "totals/read") + ", uncached " + Number(result, "totals/uncached") +
          " tokens";
  if (log)
    text += ", " + Number(result, "turn_count") + " turns, $" + StringAt(result, "totals/usd").value_or("?");
  text += "\n";
  if (log)
    text += "  lost by broken reuse: " + Number(result, "lost_tokens") + " tokens, $" +
            StringAt(result, "lost_usd").value_or("?") + "\n";
  int shown = 0;
  if (const Json* breaks = Find(result, "breaks"))
    for (const Json& each : *breaks) {
      if (++shown > 10) break;
      text += "  " + StringAt(each, "verdict").value_or("") + "  ";
      text +=
          log ? Number(each, "lost_tokens") + " tokens  " + StringAt(each, "timestamp").value_or("")
              : Number(each, "lost_bytes") + " bytes at " + StringAt(each, "first_divergence").value_or("");
      text += "\n    " + StringAt(each, "fact").value_or(StringAt(each, "cause/fact").value_or("")) + "\n";
      if (auto setting = StringAt(each, "advice/setting")) text += "    setting: " + *setting + "\n";
    }
  return text;
}

}  // namespace

Tool DiagnoseSessionTool() {
  Tool tool;
  tool.name = "diagnose_session";
  tool.subcommand = "diagnose-session";
  tool.title = "Where a session's cache reuse broke";
  tool.description =
      "Use on Claude Code session logs or on captures of requests and replies: per turn the tokens read, "
      "written and "
      "uncached and their cost, where reuse broke, why, and what it cost.";
  tool.input_schema = InputSchema();
  tool.output_schema = Json{{"type", "object"},
                            {"properties", {{"verdict", {{"type", "string"}}}}},
                            {"required", Json::array({"verdict"})}};
  tool.positionals = {"files"};
  tool.annotations.read_only = true;
  tool.annotations.idempotent = true;
  tool.handler = &Run;
  tool.render = &Render;
  return tool;
}

}  // namespace helix::mcp
