#include "core/consistency/pair_diagnosis.h"

#include <cmath>
#include <utility>

#include "core/base/json_fields.h"
#include "core/consistency/advice_table.h"
#include "core/consistency/breakpoints.h"
#include "core/consistency/further_breaks.h"
#include "core/consistency/history_blocks.h"
#include "core/consistency/history_change.h"
#include "core/consistency/shared_bytes.h"
#include "core/consistency/tools_change.h"
#include "core/consistency/transforms.h"
#include "core/consistency/volatile_text.h"

namespace helix::consistency {
namespace {

constexpr std::size_t kContextBytes = 40;

struct Finding {
  Cause cause;
  std::string pointer;  // empty: none
  std::string stage;    // "none", "raw", "transform", "provider"
  std::optional<std::size_t> blocks_since_last;
};

const Json* SystemBlock(const Json* system, std::size_t index) {
  if (!system || !system->is_array()) return system;
  return index < system->size() ? &(*system)[index] : nullptr;
}

Cause ExplainSystemChange(const RequestBody& a, const RequestBody& b, const Divergence& at) {
  const Json* left = a.Get(Part::kSystem);
  const Json* right = b.Get(Part::kSystem);
  const std::string text_a = left ? TextOf(*left) : "";
  const std::string text_b = right ? TextOf(*right) : "";
  if (left && right && text_a == text_b)
    return {"REPRESENTATION_CHANGED", "form", "the system text is equal and its JSON form differs"};
  const Json* block_a = SystemBlock(left, at.index);
  const Json* block_b = SystemBlock(right, at.index);
  const auto text_of = [](const Json* block) {
    if (!block) return std::string();
    const auto own = StringAt(*block, "text");
    return own ? *own : TextOf(*block);
  };
  if (const auto change = ExplainTextChange(text_of(block_a), text_of(block_b))) return change->cause;
  return {"SYSTEM_CHANGED", "", "the system text was edited"};
}

Cause ExplainPromptChange(const Divergence& at) {
  if (at.a && at.b && at.a->is_string() && at.b->is_string())
    if (const auto change = ExplainTextChange(at.a->get<std::string>(), at.b->get<std::string>()))
      return change->cause;
  return {"HISTORY_REWRITTEN", "edited", "the prompt differs before its end"};
}

bool Untransformed(const PairInput& input) {
  return input.transform.empty() || input.transform == "none";
}

// Both bodies as the serving stack makes them; null where it changes nothing.
struct Transformed {
  std::optional<RequestBody> a, b;
};

Result<Transformed> Transform(const PairInput& input) {
  Transformed both;
  if (Untransformed(input)) return both;
  auto a = ApplyTransform(input.a, input.transform);
  if (!a) return tl::make_unexpected(a.error());
  auto b = ApplyTransform(input.b, input.transform);
  if (!b) return tl::make_unexpected(b.error());
  both.a = std::move(*a);
  both.b = std::move(*b);
  return both;
}

bool KnownLocal(const std::string& backend) {
  return !backend.empty() && backend != "anthropic" && backend != "openrouter";
}

// Append-only content: what a provider's own rules can still break.
std::optional<Finding> ProviderRules(const PairInput& input) {
  const bool anthropic = input.a.shape == BodyShape::kAnthropic && input.b.shape == BodyShape::kAnthropic;
  const bool asked =
      input.backend == "anthropic" || BreakpointsOf(input.a).Any() || BreakpointsOf(input.b).Any();
  if (!KnownLocal(input.backend) && Untransformed(input) && (anthropic || asked))
    if (auto found = ExplainBreakpoints(input.a, input.b))
      return Finding{found->cause, "", "provider", found->blocks_since_last};
  if (!input.gap_s) return std::nullopt;
  const double ttl = input.ttl_s.value_or(BreakpointsOf(input.a).ttl_s.value_or(300));
  if (*input.gap_s > ttl)
    return Finding{{"TTL_EXPIRED", "ttl", "the gap is longer than the entry lives"}, "", "provider", {}};
  return std::nullopt;
}

std::optional<Finding> ServerSide(const PairInput& input) {
  if (!input.usage_b) return std::nullopt;
  const auto read = IntAt(*input.usage_b, "cache_read_input_tokens");
  const auto written = IntAt(*input.usage_b, "cache_creation_input_tokens");
  if (!read || !written || *written <= *read) return std::nullopt;
  return Finding{
      {"UNEXPLAINED_SERVER_SIDE", "", "the content is append-only and the provider wrote more than it read"},
      "",
      "provider",
      {}};
}

Finding FindCause(const PairInput& input, const Transformed& transformed,
                  const std::optional<Divergence>& raw) {
  if (raw) return Finding{ExplainDivergence(input.a, input.b, *raw), raw->pointer, "raw", {}};
  const auto after = transformed.a ? FirstDivergence(*transformed.a, *transformed.b) : std::nullopt;
  if (after) {
    const bool hoisted = after->part == Part::kSystem && input.transform == "hoist_system";
    if (hoisted)
      return Finding{{"MID_SYSTEM_HOISTED", "hoist",
                      "the bodies are append-only; a system message further down is moved "
                      "to the front on the way"},
                     "/system (after hoist)",
                     "transform",
                     {}};
    return Finding{ExplainDivergence(*transformed.a, *transformed.b, *after),
                   after->pointer + " (after " + input.transform + ")",
                   "transform",
                   {}};
  }
  if (auto found = ProviderRules(input)) return *found;
  if (auto found = ServerSide(input)) return *found;
  return Finding{{"OK_APPEND_ONLY", "", "the second request only adds to the first"}, "", "none", {}};
}

double Rounded(double share) {
  return std::round(share * 1000) / 1000;
}

void AddShares(const RequestBody& a, const RequestBody& b, bool diverged, Json& out) {
  const auto [tools, system] = CompareRequests(a, b);
  out["shared_prefix_share_bytes"] = Rounded(tools.Share());
  out["shared_prefix_share_bytes_system_first"] = Rounded(system.Share());
  out["shared"] = Json{{"tools_first", Rounded(tools.Share())},
                       {"system_first", Rounded(system.Share())},
                       {"common_bytes", tools.common},
                       {"common_bytes_system_first", system.common},
                       {"total_bytes", tools.total}};
  if (!diverged) return;
  out["divergence"] = Json{{"byte", tools.common},
                           {"token", nullptr},
                           {"a", RenderedContext(a, tools.common, kContextBytes)},
                           {"b", RenderedContext(b, tools.common, kContextBytes)}};
}

Json CauseJson(const Cause& cause) {
  return Json{{"verdict", cause.verdict},
              {"detector", cause.detector.empty() ? Json(nullptr) : Json(cause.detector)},
              {"fact", cause.evidence}};
}

}  // namespace

Cause ExplainDivergence(const RequestBody& a, const RequestBody& b, const Divergence& at) {
  switch (at.part) {
    case Part::kModel:
      return {"MODEL_CHANGED", "", "the two requests name different models"};
    case Part::kTools:
      return ExplainToolsChange(a, b, at);
    case Part::kSystem:
      return ExplainSystemChange(a, b, at);
    case Part::kMessages:
      break;
  }
  return a.shape == BodyShape::kRawPrompt ? ExplainPromptChange(at) : ExplainHistoryChange(a, b, at);
}

Result<Json> DiagnosePair(const PairInput& input) {
  const auto transformed = Transform(input);
  if (!transformed) return tl::make_unexpected(transformed.error());
  const auto raw = FirstDivergence(input.a, input.b);
  const std::optional<Finding> finding = FindCause(input, *transformed, raw);
  Json out;
  out["verdict"] = finding->cause.verdict;
  out["first_divergence"] = finding->pointer.empty() ? Json(nullptr) : Json(finding->pointer);
  out["stage"] = finding->stage;
  out["raw_append_only"] = !raw;
  out["shape"] = BodyShapeName(input.b.shape);
  out["cause"] = CauseJson(finding->cause);
  out["advice"] = AdviceJson(finding->cause.verdict, input.backend);
  if (finding->blocks_since_last) out["blocks_since_last_breakpoint"] = *finding->blocks_since_last;
  AddShares(transformed->a ? *transformed->a : input.a, transformed->b ? *transformed->b : input.b,
            !finding->pointer.empty(), out);
  if (raw) out["further_breaks"] = FurtherBreaks(input.a, input.b, *raw, finding->cause);
  out["lost"] =
      Json{{"bytes", finding->pointer.empty() ? 0
                                              : out["shared"]["total_bytes"].get<std::size_t>() -
                                                    out["shared"]["common_bytes"].get<std::size_t>()},
           {"tokens", nullptr},
           {"tokens_reason", "no tokenizer was asked; give the server's endpoint to count tokens"}};
  return out;
}

}  // namespace helix::consistency
