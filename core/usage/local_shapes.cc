#include "core/base/json_fields.h"
#include "core/usage/count.h"
#include "core/usage/settle.h"
#include "core/usage/shapes.h"

namespace helix::usage {
namespace {

void PutMillis(const Json& object, const char* path, double per_ms, Measured<double>& into) {
  auto value = NumberAt(object, path);
  if (value && *value >= 0) into = {*value / per_ms, Origin::kServer};
}

// Builds without cache_n: the prompt minus what was evaluated is what was reused.
void DeriveOldCached(const Count& whole, const Count& evaluated, Draft& draft) {
  if (draft.read.present() || !whole.present() || !evaluated.present() || whole.value < evaluated.value)
    return;
  draft.read = MakeCount(whole.value - evaluated.value);
  draft.read_derived = true;
}

}  // namespace

void ReadLlamaServer(const ShapeInput& in, Reply& out) {
  out.shape = "llama_server";
  Draft draft;
  Count evaluated = CountAt(in.reply, "timings/prompt_n");
  draft.input = FirstCount(in.usage, {"prompt_tokens", "tokens_evaluated", "prompt_progress/total"});
  draft.read = FirstCount(
      in.reply, {"timings/cache_n", "usage/prompt_tokens_details/cached_tokens", "prompt_progress/cache"});
  DeriveOldCached(draft.input, evaluated, draft);
  draft.uncached = evaluated;
  draft.output = FirstCount(in.reply, {"usage/completion_tokens", "tokens_predicted", "timings/predicted_n"});
  draft.reasoning = CountAt(in.usage, "completion_tokens_details/reasoning_tokens");
  PutMillis(in.reply, "timings/prompt_ms", 1, out.usage.prefill_ms);
  PutMillis(in.reply, "timings/predicted_ms", 1, out.usage.decode_ms);
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
}

void ReadSglangMeta(const ShapeInput& in, Reply& out) {
  out.shape = "sglang_generate";
  Draft draft;
  draft.input = CountAt(in.usage, "prompt_tokens");
  draft.read = CountAt(in.usage, "cached_tokens");
  draft.output = CountAt(in.usage, "completion_tokens");
  draft.reasoning = CountAt(in.usage, "reasoning_tokens");
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
}

void ReadOllama(const ShapeInput& in, Reply& out) {
  out.shape = "ollama";
  constexpr double kNsPerMs = 1e6;
  Draft draft;
  draft.input = CountAt(in.reply, "prompt_eval_count");
  draft.read = CountAt(in.reply, "prompt_eval_cached_count");
  draft.output = CountAt(in.reply, "eval_count");
  PutMillis(in.reply, "prompt_eval_duration", kNsPerMs, out.usage.prefill_ms);
  PutMillis(in.reply, "eval_duration", kNsPerMs, out.usage.decode_ms);
  Settle(draft, out.usage);
  // Old builds leave the count out when the whole prompt was reused: the silence is the sign, not a zero.
  if (draft.input.state == Count::State::kAbsent) {
    out.usage.AddFlag("count_missing_on_full_hit");
  } else {
    AddReuseFlags(out.usage);
  }
}

void ReadLmStudioStats(const ShapeInput& in, Reply& out) {
  out.shape = "lmstudio";
  Draft draft;
  draft.input = CountAt(in.usage, "input_tokens");
  draft.read = CountAt(in.usage, "cached_tokens");
  draft.output = FirstCount(in.usage, {"total_output_tokens", "output_tokens"});
  draft.reasoning = CountAt(in.usage, "reasoning_output_tokens");
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
}

}  // namespace helix::usage
