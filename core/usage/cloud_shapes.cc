#include "core/base/json_fields.h"
#include "core/usage/count.h"
#include "core/usage/settle.h"
#include "core/usage/shapes.h"

namespace helix::usage {
namespace {

// Bedrock's cacheDetails: [{"ttl":"5m","inputTokens":N}, ...].
void ReadBedrockWrites(const Json& usage, Draft& draft) {
  Count total =
      FirstCount(usage, {"cacheWriteInputTokens", "cacheWriteInputTokenCount", "cacheWriteInputTokensCount"});
  const Json* details = Find(usage, "cacheDetails");
  if (details != nullptr && details->is_array() && !details->empty()) {
    for (const auto& entry : *details) {
      auto ttl = StringAt(entry, "ttl");
      Count& into = ttl == "5m" ? draft.write_5m : ttl == "1h" ? draft.write_1h : draft.write_other;
      into = AddCounts(into, CountAt(entry, "inputTokens"));
    }
    return;
  }
  draft.write_5m = total;
  draft.write_5m_derived = true;
}

}  // namespace

void ReadGemini(const ShapeInput& in, Reply& out) {
  out.shape = "gemini";
  Draft draft;
  Count prompt = FirstCount(in.usage, {"promptTokenCount", "prompt_token_count"});
  // Tool results that the model fetched itself are billed as input and counted apart.
  Count tools = FirstCount(in.usage, {"toolUsePromptTokenCount", "tool_use_prompt_token_count"});
  draft.input = prompt.present() ? AddCounts(prompt, tools) : prompt;
  draft.read = FirstCount(in.usage, {"cachedContentTokenCount", "cached_content_token_count"});
  Count candidates = FirstCount(in.usage, {"candidatesTokenCount", "candidates_token_count"});
  // Thoughts are billed as output and stand outside the candidates' count.
  draft.reasoning = FirstCount(in.usage, {"thoughtsTokenCount", "thoughts_token_count"});
  draft.output = AddCounts(candidates, draft.reasoning);
  draft.output_derived = candidates.present() && draft.reasoning.present();
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
}

void ReadBedrock(const ShapeInput& in, Reply& out) {
  out.shape = "bedrock";
  Draft draft;
  draft.additive = true;
  draft.input = FirstCount(in.usage, {"inputTokens", "inputTokenCount"});
  draft.read =
      FirstCount(in.usage, {"cacheReadInputTokens", "cacheReadInputTokenCount", "cacheReadInputTokensCount"});
  ReadBedrockWrites(in.usage, draft);
  draft.output = FirstCount(in.usage, {"outputTokens", "outputTokenCount"});
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
}

void ReadOpenRouterRecord(const ShapeInput& in, Reply& out) {
  out.shape = "openrouter_generation";
  Draft draft;
  draft.input = CountAt(in.usage, "native_tokens_prompt");
  draft.read = CountAt(in.usage, "native_tokens_cached");
  draft.output = CountAt(in.usage, "native_tokens_completion");
  draft.reasoning = CountAt(in.usage, "native_tokens_reasoning");
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
  auto cost = NumberAt(in.usage, "usage");
  if (!cost) cost = NumberAt(in.usage, "total_cost");
  if (cost && *cost >= 0) out.usage.reported_cost = {Usd{*cost}, Origin::kServer};
  // A charge for the cache without one token read from it is a paid write.
  if (out.usage.HasFlag("cold") && NumberAt(in.usage, "usage_cache").value_or(0) > 0) {
    out.usage.RemoveFlag("cold");
    out.usage.AddFlag("write_without_read_candidate");
  }
  out.provider_name = StringAt(in.usage, "provider_name").value_or("");
  if (!out.provider_name.empty()) out.usage.AddFlag("provider_named");
}

}  // namespace helix::usage
