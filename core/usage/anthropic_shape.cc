#include "core/base/json_fields.h"
#include "core/usage/count.h"
#include "core/usage/merge.h"
#include "core/usage/settle.h"
#include "core/usage/shapes.h"
#include "core/usage/split.h"

namespace helix::usage {
namespace {

bool HasCompaction(const Json& iterations) {
  if (!iterations.is_array()) return false;
  for (const auto& step : iterations) {
    if (StringAt(step, "type") == "compaction") return true;
  }
  return false;
}

// The top-level counters leave a compaction step out; the bill is the sum over all steps.
Json SumOfIterations(const Json& usage, Reply& out) {
  const Json* iterations = Find(usage, "iterations");
  if (iterations == nullptr || !HasCompaction(*iterations)) return usage;
  Json sum = Json::object();
  for (const auto& step : *iterations) AddCounters(sum, step);
  out.usage.AddFlag("iterations_summed");
  return sum;
}

}  // namespace

void ReadAnthropic(const ShapeInput& in, Reply& out) {
  const Json usage = SumOfIterations(in.usage, out);
  out.shape = "anthropic";
  Draft draft;
  draft.additive = true;
  draft.input_before_cache = in.input_before_cache;
  draft.input = CountAt(usage, "input_tokens");
  draft.read = CountAt(usage, "cache_read_input_tokens");
  ReadWriteSplit(usage, draft, out.usage);
  // Servers that count twice imitate the flat fields, not the split by lifetime.
  draft.surely_additive = draft.write_1h.present() && !in.input_before_cache;
  draft.output = CountAt(usage, "output_tokens");
  draft.reasoning =
      FirstCount(usage, {"output_tokens_details/thinking_tokens", "output_tokens_details/reasoning_tokens"});
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
  auto writes = out.usage.Writes();
  if (out.usage.HasFlag("cold") && writes.present()) {
    // Both counters are there and both are 0: below the model's minimum, or no marker arrived.
    out.usage.RemoveFlag("cold");
    out.usage.AddFlag("below_minimum_candidate");
  }
  bool translated = out.id.starts_with("chatcmpl-") || out.id.starts_with("gen-");
  if (translated && !out.usage.cache_read.present()) out.usage.AddFlag("gateway_suspected");
}

}  // namespace helix::usage
