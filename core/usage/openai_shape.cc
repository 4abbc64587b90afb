#include "core/base/json_fields.h"
#include "core/usage/count.h"
#include "core/usage/settle.h"
#include "core/usage/shapes.h"
#include "core/usage/split.h"

namespace helix::usage {
namespace {

void ReadCost(const ShapeInput& in, Reply& out) {
  for (const Json* place : {&in.usage, &in.reply}) {
    std::optional<double> cost = NumberAt(*place, "cost");
    if (auto text = StringAt(*place, "cost")) {
      char* end = nullptr;
      double value = std::strtod(text->c_str(), &end);
      if (!text->empty() && *end == '\0') cost = value;
    }
    if (!cost || !(*cost >= 0)) continue;
    out.usage.reported_cost = {Usd{*cost}, Origin::kServer};
    return;
  }
}

// Qwen's explicit cache names the lifetime beside the count; LiteLLM adds Anthropic's fields to OpenAI's.
void ReadWrites(const Json& usage, const Json& details, Draft& draft, Usage& out) {
  if (Find(details, "cache_creation") != nullptr) {
    ReadWriteSplit(details, draft, out);
    return;
  }
  draft.write_other = FirstCount(details, {"cache_write_tokens", "cache_creation_input_tokens",
                                           "cache_creation_tokens", "created_cache_tokens"});
  if (draft.write_other.present()) return;
  if (Find(usage, "cache_creation_input_tokens") != nullptr || Find(usage, "cache_creation") != nullptr) {
    ReadWriteSplit(usage, draft, out);
    return;
  }
  draft.write_other = FirstCount(usage, {"cache_write_tokens", "prompt_cache_write_tokens"});
}

void NoteConflicts(const Json& usage, Usage& out) {
  Count nested = CountAt(usage, "prompt_tokens_details/cached_tokens");
  for (const char* other : {"prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens"}) {
    Count count = CountAt(usage, other);
    if (nested.present() && count.present() && nested.value != count.value)
      out.AddFlag("conflicting_cached_counts");
  }
  bool anthropic_fields = Find(usage, "cache_read_input_tokens") != nullptr ||
                          Find(usage, "cache_creation_input_tokens") != nullptr;
  if (anthropic_fields) out.AddFlag("mixed_shape");
}

const Json& ObjectOr(const Json* found, const Json& otherwise) {
  return found != nullptr && found->is_object() ? *found : otherwise;
}

// DashScope's own API repeats the details per billing type.
const Json* DetailsOf(const Json& usage) {
  for (const char* name : {"input_tokens_details", "prompt_tokens_details"}) {
    const Json* found = Find(usage, name);
    if (found != nullptr && found->is_object()) return found;
  }
  const Json* list = Find(usage, "x_details");
  if (list == nullptr || !list->is_array()) return nullptr;
  for (const auto& entry : *list) {
    const Json* found = Find(entry, "prompt_tokens_details");
    if (found != nullptr && found->is_object()) return found;
  }
  return nullptr;
}

}  // namespace

void ReadOpenAiChat(const ShapeInput& in, Reply& out) {
  static const Json kNone = Json::object();
  out.shape = "openai_chat";
  Draft draft;
  draft.input = CountAt(in.usage, "prompt_tokens");
  draft.uncached = CountAt(in.usage, "prompt_cache_miss_tokens");
  draft.read = FirstCount(in.usage, {"prompt_tokens_details/cached_tokens", "prompt_cache_hit_tokens",
                                     "cached_tokens", "cache_read_input_tokens"});
  ReadWrites(in.usage, ObjectOr(Find(in.usage, "prompt_tokens_details"), kNone), draft, out.usage);
  draft.output = CountAt(in.usage, "completion_tokens");
  draft.reasoning = FirstCount(in.usage, {"completion_tokens_details/reasoning_tokens", "reasoning_tokens"});
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
  NoteConflicts(in.usage, out.usage);
  ReadCost(in, out);
}

void ReadOpenAiResponses(const ShapeInput& in, Reply& out) {
  static const Json kNone = Json::object();
  out.shape = "openai_responses";
  const Json& details = ObjectOr(DetailsOf(in.usage), kNone);
  Draft draft;
  draft.input = CountAt(in.usage, "input_tokens");
  draft.read = CountAt(details, "cached_tokens");
  if (draft.read.state == Count::State::kAbsent) {
    draft.read = FirstCount(
        in.usage, {"input_tokens_details/cached_tokens", "cached_tokens", "cache_read_input_tokens"});
  }
  ReadWrites(in.usage, details, draft, out.usage);
  draft.output = CountAt(in.usage, "output_tokens");
  draft.reasoning = CountAt(in.usage, "output_tokens_details/reasoning_tokens");
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
  ReadCost(in, out);
}

}  // namespace helix::usage
