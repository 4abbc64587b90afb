#include "core/consistency/template_stage.h"

#include <algorithm>
#include <utility>

#include "core/consistency/prediction.h"
#include "core/consistency/shared_bytes.h"
#include "core/consistency/template_server.h"

namespace helix::consistency {
namespace {

constexpr std::size_t kContextBytes = 40;

}  // namespace

Result<TemplateStage> CompareThroughTemplate(const RequestBody& a, const RequestBody& b,
                                             const std::string& base_url, const std::string& api_key,
                                             const RunContext& context) {
  TemplateStage stage;
  TemplateServer server(base_url, api_key, context);
  std::vector<std::string> prompts;
  std::vector<std::vector<std::int32_t>> tokens;
  const Json body_a = ToTemplateBody(a, stage.notes);
  const Json body_b = ToTemplateBody(b, stage.notes);
  for (const auto& [body, open] :
       {std::pair(&body_a, true), std::pair(&body_b, true), std::pair(&body_a, false)}) {
    auto prompt = server.Prompt(*body, open);
    if (!prompt) return tl::make_unexpected(prompt.error());
    auto ids = server.Tokens(*prompt);
    if (!ids) return tl::make_unexpected(ids.error());
    prompts.push_back(std::move(*prompt));
    tokens.push_back(std::move(*ids));
  }
  stage.tokens_a = static_cast<std::int64_t>(tokens[0].size());
  stage.tokens_b = static_cast<std::int64_t>(tokens[1].size());
  stage.stable_a = CommonTokens(tokens[0], tokens[2]);
  SlotModel slot;
  slot.Complete(tokens[0], {});
  const ReusePrediction prediction = slot.Predict(tokens[1]);
  stage.common = prediction.possible;
  stage.predicted = prediction.low;
  stage.lost = std::min(stage.tokens_a, stage.tokens_b - 1) - stage.predicted;
  stage.byte = CompareBytes(prompts[0], prompts[1]).common;
  stage.context_a = ContextAround(prompts[0], stage.byte, kContextBytes);
  stage.context_b = ContextAround(prompts[1], stage.byte, kContextBytes);
  return stage;
}

Json ToJson(const TemplateStage& stage) {
  return Json{
      {"tokens_a", stage.tokens_a},
      {"tokens_b", stage.tokens_b},
      {"stable_a", stage.stable_a},
      {"common_tokens", stage.common},
      {"predicted_cached", stage.predicted},
      {"lost_tokens", stage.lost},
      {"divergence",
       {{"byte", stage.byte}, {"token", stage.common}, {"a", stage.context_a}, {"b", stage.context_b}}},
      {"notes", stage.notes}};
}

}  // namespace helix::consistency
