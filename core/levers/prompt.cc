#include "core/levers/prompt.h"

#include <algorithm>
#include <map>

#include "core/base/json_fields.h"
#include "core/evidence/digest.h"
#include "core/levers/eligible.h"
#include "core/levers/json_spans.h"
#include "core/levers/stable_tools.h"

namespace helix::levers {
namespace {

class Compressor {
 public:
  Compressor(const PromptOptions& options, PromptResult& out) : options_(options), out_(out) {}

  // The new text of one eligible block, or nullopt when it stays.
  std::optional<std::string> Block(const EligibleBlock& block, const std::string& text) {
    BlockResult result = Rewrite(block, text);
    out_.tokens_before += result.tokens_before;
    out_.tokens_after += result.tokens_after;
    if (result.applied.empty()) {
      out_.left.emplace_back(block.pointer, result.left);
      return std::nullopt;
    }
    std::string after = result.text;
    out_.changed.push_back({block.pointer, std::move(result)});
    return after;
  }
  // Blocks that may not change can still be what a later one repeats.
  void Remember(const std::string& name, const std::string& text) {
    if (!name.empty()) first_.try_emplace(evidence::Sha256Hex(text), name);
  }

 private:
  BlockResult Rewrite(const EligibleBlock& block, const std::string& text) {
    auto earlier = first_.find(evidence::Sha256Hex(text));
    if (earlier != first_.end() && earlier->second != block.name) {
      BlockResult result;
      result.text = "[same as " + earlier->second + " above]";
      result.tokens_before = options_.count(text);
      result.tokens_after = options_.count(result.text);
      if (result.tokens_before >= kSmallestBlock && result.tokens_after < result.tokens_before) {
        result.applied.emplace_back("same_as_earlier");
        return result;
      }
    }
    Remember(block.name, text);
    return CompressBlock(text, options_.count);
  }

  const PromptOptions& options_;
  PromptResult& out_;
  std::map<std::string, std::string> first_;  // digest of a text, name of the block that had it first
};

void OrderTools(const Json& request, std::string_view body, std::vector<Edit>& edits, PromptResult& out) {
  const Json* tools = Find(request, "tools");
  const auto span = tools != nullptr ? FindValue(body, "/tools") : std::nullopt;
  if (!span) return;
  std::string ordered = DumpJson(StableTools(*tools));
  if (ordered == body.substr(span->begin, span->end - span->begin)) return;
  edits.push_back({span->begin, span->end, std::move(ordered), true});
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  out.tools_ordered = true;
}

}  // namespace

Result<PromptResult> CompressPrompt(std::string_view body, const PromptOptions& options) {
  auto json = ParseJson(body);
  if (!json) return tl::make_unexpected(json.error());
  const Json* messages = Find(*json, "messages");
  if (messages == nullptr || !messages->is_array()) {
    return Fail(ErrorCode::kParse, "the body has no messages",
                "expected an Anthropic Messages or OpenAI chat request");
  }
  auto spans = FindStrings(body);
  if (!spans) return tl::make_unexpected(spans.error());
  PromptResult out;
  Compressor compressor(options, out);
  const auto blocks = BlocksOf(*json, options.frozen_messages);
  std::vector<Edit> edits;
  for (const auto& span : *spans) {
    auto block = blocks.find(span.pointer);
    if (block == blocks.end()) continue;
    auto text = ParseJson(body.substr(span.begin, span.end - span.begin));
    if (!text || !text->is_string()) continue;
    if (!block->second.protected_because.empty()) {
      out.left.emplace_back(span.pointer, block->second.protected_because);
      compressor.Remember(block->second.name, text->get<std::string>());
      continue;
    }
    if (auto after = compressor.Block(block->second, text->get<std::string>())) {
      edits.push_back({span.begin, span.end, std::move(*after)});
    }
  }
  if (options.stable_tools) OrderTools(*json, body, edits, out);
  out.body = Splice(body, edits);
  return out;
}

}  // namespace helix::levers
