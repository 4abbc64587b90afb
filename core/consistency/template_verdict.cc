#include "core/consistency/template_verdict.h"

#include <algorithm>
#include <string>

#include "core/base/json_fields.h"
#include "core/consistency/advice_table.h"
#include "core/consistency/history_blocks.h"

namespace helix::consistency {
namespace {

bool HasReasoning(const RequestBody& request) {
  const Json* messages = request.Get(Part::kMessages);
  if (!messages) return false;
  const auto blocks = BlocksOf(*messages);
  return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
    return block.kind == BlockKind::kReasoning ||
           (block.role == "assistant" && block.Text().find("<think>") != std::string::npos);
  });
}

std::size_t SystemMessages(const RequestBody& request) {
  const Json* messages = request.Get(Part::kMessages);
  if (!messages || !messages->is_array()) return 0;
  return static_cast<std::size_t>(std::count_if(messages->begin(), messages->end(), [](const Json& message) {
    return StringAt(message, "role") == "system";
  }));
}

std::string TemplateVerdict(const RequestBody& a, const RequestBody& b) {
  if (HasReasoning(a)) return "REASONING_DROPPED";
  return SystemMessages(b) > SystemMessages(a) ? "MID_SYSTEM_HOISTED" : "UNCONFIRMED";
}

}  // namespace

void PutTemplateStage(const TemplateStage& stage, const RequestBody& a, const RequestBody& b, Json& result) {
  result["template"] = ToJson(stage);
  result["lost"] = Json{{"bytes", result["lost"]["bytes"]},
                        {"tokens", stage.lost},
                        {"origin", "derived: the server's template and tokenizer"}};
  if (result.contains("divergence")) result["divergence"]["token"] = stage.common;
  const bool healthy = StringAt(result, "verdict").value_or("").rfind("OK_", 0) == 0;
  if (!healthy || stage.common >= std::min(stage.stable_a, stage.tokens_b)) return;
  const std::string verdict = TemplateVerdict(a, b);
  result["verdict"] = verdict;
  result["stage"] = "template";
  result["cause"] =
      Json{{"verdict", verdict},
           {"detector", "template"},
           {"fact",
            "the bodies are append-only and the server's template renders an earlier part in another way"}};
  result["advice"] = AdviceJson(verdict, "llama-server");
}

}  // namespace helix::consistency
