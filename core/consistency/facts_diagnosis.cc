#include "core/consistency/facts_diagnosis.h"

#include <cmath>
#include <optional>
#include <string>

#include "core/base/json_fields.h"
#include "core/consistency/finding.h"
#include "core/consistency/target_identity.h"

namespace helix::consistency {
namespace {

std::optional<Json> ContextSize(const Json& facts) {
  const auto total = FirstNumber(facts, {"n_ctx_total", "n_ctx", "ctx", "context", "ctx_size"});
  auto slot =
      FirstNumber(facts, {"slot_ctx", "n_ctx_slot", "n_ctx_per_slot",
                          "props/default_generation_settings/n_ctx", "default_generation_settings/n_ctx"});
  const double slots =
      FirstNumber(facts, {"total_slots", "slots", "parallel", "n_parallel", "props/total_slots"}).value_or(1);
  const auto needed = FirstNumber(facts, {"request_tokens", "prompt_tokens", "needed_tokens", "tokens"});
  if (!needed || slots < 1) return std::nullopt;
  if (!slot && total)
    slot = BoolAt(facts, "kv_unified").value_or(false) ? *total : std::floor(*total / slots);
  if (!slot) return std::nullopt;
  const Json numbers{{"slot_ctx", *slot}, {"request_tokens", *needed}};
  if (*needed >= *slot)
    return FindingJson(
        "CONTEXT_TOO_SMALL",
        "one slot holds " + NumberText(*slot) + " tokens and the request has " + NumberText(*needed),
        "llama-server", numbers);
  return Unconfirmed(
      "the request of " + NumberText(*needed) + " tokens fits into a slot of " + NumberText(*slot), numbers);
}

// The features that have been reported to turn prefix reuse off.
std::string Feature(const Json& facts) {
  for (const char* key :
       {"speculative", "mtp", "eagle", "draft_model", "speculative_decoding", "prompt_logprobs",
        "return_logprob", "deterministic", "lora", "multimodal", "mmproj", "kv_connector"}) {
    const Json* value = Find(facts, key);
    if (!value || value->is_null() || (value->is_boolean() && !value->get<bool>())) continue;
    if (value->is_number() && value->get<double>() == 0) continue;
    return key;
  }
  return "";
}

std::optional<Json> FeatureConflict(const Json& facts) {
  const auto ratio = FirstNumber(facts, {"repeat_ttft_ratio", "repeat_speedup", "ttft_ratio"});
  const auto hits = FirstNumber(facts, {"metrics_delta/hits", "hits", "cached"});
  const bool no_reuse = (ratio && *ratio > 0.8 && *ratio < 1.25) || (!ratio && hits && *hits == 0);
  const std::string feature = Feature(facts);
  if (!ratio && !hits) return std::nullopt;
  const Json numbers{{"feature", feature.empty() ? Json(nullptr) : Json(feature)},
                     {"repeat_ttft_ratio", OrNull(ratio)}};
  if (!no_reuse) return Unconfirmed("the repeat was not as slow as the first request", numbers);
  if (feature.empty())
    return Unconfirmed("the repeat was as slow as the first request; no feature that conflicts is named",
                       numbers);
  return FindingJson("ENGINE_FEATURE_CONFLICT",
                     "the repeat was as slow as the first request while " + feature + " was on",
                     StringAt(facts, "backend").value_or(""), numbers);
}

}  // namespace

Json DiagnoseServerFacts(const Json& facts) {
  if (auto found = DiagnoseTarget(facts)) return *found;
  if (auto found = ContextSize(facts)) return *found;
  if (auto found = FeatureConflict(facts)) return *found;
  return Unconfirmed("the facts name no cause; GET /props of the server would identify it");
}

}  // namespace helix::consistency
