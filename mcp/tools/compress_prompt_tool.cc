#include "mcp/tools/compress_prompt_tool.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/levers/extract.h"
#include "core/levers/gates.h"
#include "core/levers/prompt.h"
#include "core/levers/prune.h"

namespace helix::mcp {
namespace {

using levers::EstimateTokens;

Json InputSchema() {
  Json properties = Json::object();
  properties["body"] = {{"type", "string"},
                        {"description", "A request body as JSON text, Anthropic Messages or OpenAI chat."}};
  properties["text"] = {{"type", "string"},
                        {"description", "Or one block of text, such as a tool's output."}};
  properties["frozen_messages"] = {
      {"type", "integer"},
      {"minimum", 0},
      {"default", 0},
      {"description",
       "How many messages of the body an earlier request has already sent; they keep their bytes."}};
  properties["mode"] = {{"type", "string"},
                        {"enum", Json::array({"structural", "prune", "extract"})},
                        {"default", "structural"},
                        {"description",
                         "structural loses nothing that was planted; prune (drops frequent words) and "
                         "extract (keeps paragraphs "
                         "about query) are lossy and take text only."}};
  properties["keep_share"] = {{"type", "number"},
                              {"minimum", 0},
                              {"maximum", 1},
                              {"default", 0.5},
                              {"description", "Share of tokens a lossy mode may stop at, 0 to 1."}};
  properties["query"] = {{"type", "string"}, {"description", "The question, for extract."}};
  properties["needles"] = {{"type", "array"},
                           {"items", {{"type", "string"}}},
                           {"description", "Texts that must survive word for word."}};
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json OutputSchema() {
  Json properties = {{"output", {{"type", "string"}}},
                     {"tokens_before", {{"type", "integer"}}},
                     {"tokens_after", {{"type", "integer"}}},
                     {"counter", {{"type", "string"}}}};
  return {{"type", "object"}, {"properties", properties}, {"required", Json::array({"output", "counter"})}};
}

std::vector<std::string> Needles(const Json& arguments) {
  std::vector<std::string> out;
  const Json* list = Find(arguments, "needles");
  if (list == nullptr || !list->is_array()) return out;
  for (const auto& each : *list) {
    if (each.is_string()) out.push_back(each.get<std::string>());
  }
  return out;
}

Json Counted(std::string output, std::int64_t before, std::int64_t after) {
  return {{"output", std::move(output)},
          {"tokens_before", before},
          {"tokens_after", after},
          {"counter", "estimate: not a provider's count"}};
}

Json BlockJson(const levers::BlockResult& result) {
  return {{"applied", result.applied},
          {"rejected", result.rejected},
          {"lossless", result.lossless},
          {"tokens_before", result.tokens_before},
          {"tokens_after", result.tokens_after}};
}

Json TextResult(const std::string& text, const Json& arguments) {
  const std::string mode = StringAt(arguments, "mode").value_or("structural");
  const double keep = NumberAt(arguments, "keep_share").value_or(0.5);
  std::string after;
  Json detail = Json::object();
  if (mode == "prune") {
    auto pruned = levers::PruneFrequentWords(text, keep, EstimateTokens);
    detail["words_dropped"] = pruned.words_dropped;
    after = std::move(pruned.text);
  } else if (mode == "extract") {
    auto extracted =
        levers::ExtractRelevant(text, StringAt(arguments, "query").value_or(""), keep, EstimateTokens);
    detail["units"] = extracted.units;
    detail["units_kept"] = extracted.kept;
    after = std::move(extracted.text);
  } else {
    auto block = levers::CompressBlock(text, EstimateTokens);
    detail = BlockJson(block);
    if (!block.left.empty()) detail["left"] = block.left;
    after = std::move(block.text);
  }
  Json out = Counted(after, EstimateTokens(text), EstimateTokens(after));
  out["mode"] = mode;
  out["block"] = std::move(detail);
  out["gates"] = levers::CheckGates(text, after, Needles(arguments)).ToJson();
  return out;
}

Result<Json> BodyResult(const std::string& body, const Json& arguments) {
  levers::PromptOptions options;
  options.frozen_messages = static_cast<int>(IntAt(arguments, "frozen_messages").value_or(0));
  auto prompt = levers::CompressPrompt(body, options);
  if (!prompt) return tl::make_unexpected(prompt.error());
  Json changed = Json::array();
  for (const auto& block : prompt->changed) {
    Json entry = BlockJson(block.result);
    entry["pointer"] = block.pointer;
    changed.push_back(std::move(entry));
  }
  Json left = Json::array();
  for (const auto& [pointer, reason] : prompt->left)
    left.push_back({{"pointer", pointer}, {"reason", reason}});
  Json out = Counted(prompt->body, prompt->tokens_before, prompt->tokens_after);
  out["mode"] = "structural";
  out["changed"] = std::move(changed);
  out["left"] = std::move(left);
  out["notice"] =
      "Send the same bytes in every later request: compressing a message again after it was sent breaks its "
      "cached prefix.";
  return out;
}

Result<Json> Handle(const Json& arguments, const Settings&, const RunContext&) {
  auto body = StringAt(arguments, "body");
  auto text = StringAt(arguments, "text");
  if (auto file = StringAt(arguments, "file")) {
    auto read = ReadFile(*file);
    if (!read) return tl::make_unexpected(read.error());
    auto json = ParseJson(*read);
    bool request = json && Find(*json, "messages") != nullptr;
    (request ? body : text) = std::move(*read);
  }
  if (body.has_value() == text.has_value()) {
    return Fail(ErrorCode::kInvalidArgument, "expected a body, a text or a file, and exactly one of them",
                "name one");
  }
  if (body && StringAt(arguments, "mode").value_or("structural") != "structural") {
    return Fail(ErrorCode::kInvalidArgument, "a lossy mode takes a text, not a whole body",
                "pass the block as text");
  }
  if (body) return BodyResult(*body, arguments);
  return TextResult(*text, arguments);
}

}  // namespace

Tool CompressPromptTool() {
  Tool tool;
  tool.name = "compress_prompt";
  tool.subcommand = "compress-prompt";
  tool.title = "Compress a prompt safely";
  tool.description =
      "Use this on new tool output before it is sent for the first time: it takes tokens out without "
      "touching the cached "
      "prefix, ids, code, numbers or error lines, and lists what it did and what it left. Token counts are "
      "estimates.";
  tool.input_schema = InputSchema();
  tool.output_schema = OutputSchema();
  tool.cli_properties = {
      {"file",
       {{"type", "string"},
        {"description", "File with a request body or a block of text; - is standard input."}}}};
  tool.positionals = {"file"};
  tool.annotations = {true, false, true, false};
  tool.handler = Handle;
  return tool;
}

}  // namespace helix::mcp
