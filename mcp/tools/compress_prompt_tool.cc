#include "mcp/tools/compress_prompt_tool.h"

#include <algorithm>

#include "core/backend/prompt_logprobs.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/levers/extract.h"
#include "core/levers/gates.h"
#include "core/levers/markers.h"
#include "core/levers/prompt.h"
#include "core/levers/prune.h"
#include "core/levers/self_information.h"
#include "core/levers/structure.h"
#include "core/net/endpoint_policy.h"
#include "core/tracks/track_b/lever_comparison.h"

namespace helix::mcp {
namespace {

using levers::EstimateTokens;

// What the comparison in dollars takes.
void AddArmProperties(Json& properties) {
  properties["price_provider"] = {
      {"type", "string"},
      {"description",
       "With price_model: five ways to send this conversation in dollars, with and without compression."}};
  properties["price_model"] = {{"type", "string"}, {"description", "Model id of the price."}};
  properties["overhead_tokens"] = {
      {"type", "integer"},
      {"minimum", 0},
      {"default", 0},
      {"description", "Tokens that a compressor's own instructions add to the system text."}};
  properties["extra_turns"] = {{"type", "integer"},
                               {"minimum", 0},
                               {"maximum", 1000},
                               {"default", 0},
                               {"description", "Follow-up turns that compression caused."}};
  properties["compressor_usd"] = {{"type", "number"},
                                  {"minimum", 0},
                                  {"default", 0},
                                  {"description", "What compressing cost by itself, in dollars."}};
}

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
                        {"enum", Json::array({"structural", "prune", "extract", "self_information"})},
                        {"default", "structural"},
                        {"description",
                         "structural loses nothing that was planted; prune (drops frequent words) and "
                         "extract (keeps paragraphs "
                         "about query) are lossy and take text only, as is self_information (drops what a "
                         "vLLM or SGLang server at endpoint finds least surprising)."}};
  properties["keep_share"] = {{"type", "number"},
                              {"minimum", 0},
                              {"maximum", 1},
                              {"default", 0.5},
                              {"description", "Share of tokens a lossy mode may stop at, 0 to 1."}};
  properties["query"] = {{"type", "string"}, {"description", "The question, for extract."}};
  properties["endpoint"] = {
      {"type", "string"},
      {"description", "Server that scores the text, for self_information; the configured one by default."}};
  properties["stable_tools"] = {
      {"type", "boolean"},
      {"default", false},
      {"description",
       "Also put the body's tools and their keys into one order; for the first request of a conversation."}};
  AddArmProperties(properties);
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
  options.frozen_messages =
      static_cast<int>(std::min<std::int64_t>(IntAt(arguments, "frozen_messages").value_or(0), 1 << 30));
  options.stable_tools = BoolAt(arguments, "stable_tools").value_or(false);
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
  out["tools_ordered"] = prompt->tools_ordered;
  out["structure"] = {{"tool_calls_equal", levers::SameStructure(body, prompt->body)}};
  if (auto json = ParseJson(body)) out["markers"] = levers::MarkersJson(*json);
  out["notice"] =
      "Send the same bytes in every later request: compressing a message again after it was sent breaks its "
      "cached prefix.";
  return out;
}

// Words that a model finds least surprising go. The model's server is one the policy allows.
Result<Json> SelfInformationResult(const std::string& text, const Json& arguments, const Settings& settings,
                                   const RunContext& context) {
  auto endpoint = net::CheckEndpoint(StringAt(arguments, "endpoint").value_or(settings.endpoint), settings);
  if (!endpoint) return tl::make_unexpected(endpoint.error());
  const std::string key = settings.from_agent ? "" : settings.api_key.value_or("");
  auto scored = backend::FetchPromptLogprobs(endpoint->BaseUrl(), key, text, context);
  if (!scored) return tl::make_unexpected(scored.error());
  std::vector<levers::ScoredPiece> pieces;
  for (const auto& token : scored->tokens) pieces.push_back({token.text.size(), token.logprob});
  const double keep = NumberAt(arguments, "keep_share").value_or(0.5);
  auto pruned = levers::PruneByInformation(text, pieces, keep, EstimateTokens);
  Json out = Counted(pruned.text, EstimateTokens(text), EstimateTokens(pruned.text));
  out["mode"] = "self_information";
  out["block"] = {{"words_dropped", pruned.words_dropped},
                  {"prompt_logprobs", scored->server},
                  {"scored_tokens", scored->tokens.size()}};
  out["gates"] = levers::CheckGates(text, pruned.text, Needles(arguments)).ToJson();
  out["notice"] =
      "Keep these bytes and send them again: another model, or the same one elsewhere, may choose other "
      "words.";
  return out;
}

Status AddArms(Json& out, const std::string& body, const Json& arguments) {
  auto model = StringAt(arguments, "price_model");
  auto route = StringAt(arguments, "price_provider");
  if (!model && !route) return {};
  tracks::LeverQuestion question{body, route.value_or(""), model.value_or(""), UtcTimestamp()};
  question.overhead_tokens = IntAt(arguments, "overhead_tokens").value_or(0);
  question.extra_turns = static_cast<int>(IntAt(arguments, "extra_turns").value_or(0));
  question.compressor_usd = NumberAt(arguments, "compressor_usd").value_or(0);
  auto prices = cost::LoadPrices(StringAt(arguments, "prices").value_or(""));
  if (!prices) return tl::make_unexpected(prices.error());
  auto arms = tracks::CompareOnConversation(question, *prices);
  if (!arms) return tl::make_unexpected(arms.error());
  out["arms"] = *arms;
  out["headline"] = (*arms)["headline"];
  return {};
}

Result<Json> Handle(const Json& arguments, const Settings& settings, const RunContext& context) {
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
  if (!body) {
    return StringAt(arguments, "mode") == "self_information"
               ? SelfInformationResult(*text, arguments, settings, context)
               : Result<Json>(TextResult(*text, arguments));
  }
  auto out = BodyResult(*body, arguments);
  if (!out) return out;
  if (auto added = AddArms(*out, *body, arguments); !added) return tl::make_unexpected(added.error());
  return out;
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
        {"description", "File with a request body or a block of text; - is standard input."}}},
      {"prices",
       {{"type", "string"}, {"description", "Price file (helix.prices/1) whose rows come first."}}}};
  tool.positionals = {"file"};
  tool.annotations = {true, false, true, true};
  tool.handler = Handle;
  return tool;
}

}  // namespace helix::mcp
