#include "mcp/tools/diagnose_miss_tool.h"

#include <filesystem>
#include <utility>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/consistency/case_diagnosis.h"
#include "core/consistency/log_diagnosis.h"
#include "core/consistency/reply_text.h"
#include "core/consistency/template_verdict.h"
#include "core/net/endpoint_policy.h"

namespace helix::mcp {
namespace {

Json InputSchema() {
  const Json body{{"type", "object"},
                  {"description",
                   "A request body as it was sent: Anthropic, OpenAI chat or responses, or a raw prompt."}};
  Json earlier = body;
  earlier["description"] =
      "The earlier request body, as it was sent (Anthropic, OpenAI chat or responses, raw prompt).";
  Json later = body;
  later["description"] = "The later request body, the one that missed.";
  Json properties{
      {"a", earlier},
      {"b", later},
      {"transform",
       Json{{"type", "string"},
            {"enum", {"none", "hoist_system", "strip_attribution", "drop_reasoning", "sort_keys"}},
            {"default", "none"},
            {"description", "What the server or proxy is known to do to both bodies."}}},
      {"backend",
       Json{{"type", "string"},
            {"description", "The server: anthropic, llama-server, vllm, sglang, ollama, openrouter."}}},
      {"endpoint",
       Json{{"type", "string"},
            {"description", "A llama-server whose own template and tokenizer count the lost tokens."}}},
      {"gap_s",
       Json{{"type", "number"}, {"minimum", 0}, {"description", "Seconds between the two requests."}}},
      {"ttl_s",
       Json{{"type", "number"}, {"minimum", 0}, {"description", "How long an entry lives, in seconds."}}},
      {"reply", Json{{"type", {"object", "array"}},
                     {"description", "A reply, a list of replies, or {\"trace\": [...]}."}}},
      {"log", Json{{"type", "array"},
                   {"items", {{"type", "string"}}},
                   {"description", "Lines of the server's log."}}},
      {"case", Json{{"type", "object"},
                    {"description",
                     "One object {\"kind\", \"input\"}; kind is request_pair, reply, reply_trace, log, "
                     "server_facts, trace or equivalence."}}}};
  return Json{{"type", "object"}, {"properties", std::move(properties)}};
}

Json OutputSchema() {
  return Json{{"type", "object"},
              {"properties",
               {{"verdict", {{"type", "string"}}},
                {"first_divergence", {{"type", {"string", "null"}}}},
                {"advice", {{"type", "object"}}}}},
              {"required", {"verdict"}}};
}

Json FileProperty(const std::string& description) {
  return Json{{"type", {"string", "object"}}, {"description", description}};
}

Json CliProperties() {
  return Json{{"a", FileProperty("File with the earlier request body")},
              {"b", FileProperty("File with the later request body")},
              {"reply", FileProperty("File with a reply, a trace, a stream or JSON lines")},
              {"log", FileProperty("File with the server's log")},
              {"case", FileProperty("File with one object {kind, input}")}};
}

// An argument that is the value itself, or on the command line the name of a file that holds it.
Result<Json> ValueOf(const Json& argument) {
  if (!argument.is_string()) return argument;
  auto text = ReadFile(argument.get<std::string>());
  if (!text) return tl::make_unexpected(text.error());
  auto value = ParseJson(*text);
  if (!value)
    return Fail(ErrorCode::kParse, argument.get<std::string>() + ": " + value.error().message,
                value.error().hint);
  return value;
}

// Files that a case names are looked for beside the case, then in the working folder. An agent may name none.
consistency::CaseFileReader FilesBeside(const std::string& folder, bool from_agent) {
  return [folder, from_agent](const std::string& name) -> Result<Json> {
    if (from_agent)
      return Fail(ErrorCode::kRefused, "a case that names files can be read on the command line only",
                  "put the content into the case");
    std::error_code missing;
    const auto beside = std::filesystem::path(folder) / name;
    return ReadJsonFile(std::filesystem::exists(beside, missing) ? beside.string() : name);
  };
}

Result<Json> RunCase(const Json& argument, const Settings& settings) {
  auto one = ValueOf(argument);
  if (!one) return one;
  std::string folder = ".";
  if (argument.is_string())
    folder = std::filesystem::path(argument.get<std::string>()).parent_path().string();
  return consistency::DiagnoseCase(*one, FilesBeside(folder, settings.from_agent));
}

Result<Json> RunReply(const Json& argument) {
  if (!argument.is_string()) return consistency::DiagnoseReplyValue(argument);
  auto text = ReadFile(argument.get<std::string>());
  if (!text) return tl::make_unexpected(text.error());
  return consistency::DiagnoseReplyText(*text);
}

Result<Json> RunLog(const Json& argument) {
  if (!argument.is_string()) return consistency::DiagnoseLogCase(Json{{"log", argument}});
  auto text = ReadFile(argument.get<std::string>());
  if (!text) return tl::make_unexpected(text.error());
  return consistency::DiagnoseLog(*text);
}

// The two prompts through the server's own template and tokenizer, put into the diagnosis.
Status AddTemplateStage(const Json& input, const Settings& settings, const RunContext& context,
                        Json& result) {
  auto endpoint = net::CheckEndpoint(input["endpoint"].get<std::string>(), settings);
  if (!endpoint) return tl::make_unexpected(endpoint.error());
  auto a = consistency::ReadRequestBody(input["a"]);
  auto b = consistency::ReadRequestBody(input["b"]);
  if (!a || !b) return tl::make_unexpected(a ? b.error() : a.error());
  const std::string key = settings.api_key.value_or("");
  auto stage = consistency::CompareThroughTemplate(*a, *b, endpoint->BaseUrl(), key, context);
  if (!stage) return tl::make_unexpected(stage.error());
  consistency::PutTemplateStage(*stage, *a, *b, result);
  return {};
}

Result<Json> RunPair(const Json& arguments, const Settings& settings, const RunContext& context) {
  Json input = arguments;
  for (const char* side : {"a", "b"}) {
    auto body = ValueOf(arguments[side]);
    if (!body) return body;
    input[side] = std::move(*body);
  }
  if (Find(input, "endpoint") && !Find(input, "backend")) input["backend"] = "llama-server";
  auto result = consistency::DiagnoseCase(Json{{"kind", "request_pair"}, {"input", input}},
                                          FilesBeside(".", settings.from_agent));
  if (result && Find(input, "endpoint")) HELIX_TRY(AddTemplateStage(input, settings, context, *result));
  return result;
}

Result<Json> Run(const Json& arguments, const Settings& settings, const RunContext& context) {
  const Json* one = Find(arguments, "case");
  const Json* reply = Find(arguments, "reply");
  const Json* log = Find(arguments, "log");
  const bool pair = Find(arguments, "a") && Find(arguments, "b");
  if (settings.from_agent)
    for (const Json* value : {one, reply, log})
      if (value && value->is_string())
        return Fail(ErrorCode::kRefused, "an agent cannot name files", "send the content");
  if (one) return RunCase(*one, settings);
  if (pair) return RunPair(arguments, settings, context);
  if (reply) return RunReply(*reply);
  if (log) return RunLog(*log);
  return Fail(ErrorCode::kInvalidArgument, "expected two bodies (a and b), or a reply, a log or a case",
              "on the command line: diagnose-miss A.json B.json, --reply FILE, --log FILE or --case FILE");
}

std::string Render(const Json& result) {
  std::string text = StringAt(result, "verdict").value_or("") + "\n";
  if (auto at = StringAt(result, "first_divergence")) text += "  first difference: " + *at + "\n";
  if (auto fact = StringAt(result, "cause/fact")) text += "  " + *fact + "\n";
  if (auto fact = StringAt(result, "fact")) text += "  " + *fact + "\n";
  if (auto share = NumberAt(result, "shared/tools_first")) {
    text += "  shared with the earlier request: " + DumpJson(*share * 100) + " % of the bytes";
    if (auto system = NumberAt(result, "shared/system_first"))
      text += " (system first: " + DumpJson(*system * 100) + " %)";
    text += "\n";
  }
  if (auto advice = StringAt(result, "advice/text")) text += "  " + *advice + "\n";
  if (auto setting = StringAt(result, "advice/setting")) text += "  setting: " + *setting + "\n";
  if (const Json* more = Find(result, "further_breaks"); more && !more->empty()) {
    text += "  after that:\n";
    for (const Json& each : *more)
      text += "    " + StringAt(each, "verdict").value_or("") + " at " +
              StringAt(each, "first_divergence").value_or("") + "\n";
  }
  return text;
}

}  // namespace

Tool DiagnoseMissTool() {
  Tool tool;
  tool.name = "diagnose_miss";
  tool.subcommand = "diagnose-miss";
  tool.title = "Why did the prompt cache miss";
  tool.description =
      "Use when a request re-read a prompt that should have been cached. Takes two request bodies, or a "
      "reply, a trace "
      "of replies, log lines or facts about a server, and names the first break, its cause and the setting "
      "that mends it.";
  tool.input_schema = InputSchema();
  tool.output_schema = OutputSchema();
  tool.cli_properties = CliProperties();
  tool.positionals = {"a", "b"};
  tool.annotations.read_only = true;
  tool.annotations.idempotent = true;
  tool.handler = &Run;
  tool.render = &Render;
  return tool;
}

}  // namespace helix::mcp
