#include "core/consistency/log_diagnosis.h"

#include <array>
#include <optional>
#include <string>

#include "core/base/json_fields.h"
#include "core/consistency/finding.h"
#include "core/consistency/log_numbers.h"

namespace helix::consistency {
namespace {

// Below this share of the slot kept, the request that came in threw the conversation away.
constexpr double kKeptShare = 0.5;

struct Facts {
  std::optional<double> n_past, slot_tokens, n_swa, limit, prompt, n_ctx, request_tokens, hit_rate;
  std::string no_rollback, truncated, too_small, conflict, cannot, evicted, checkpoint, rate_line;
  std::optional<double> lowest_keep, checkpoint_pos;
  std::string keep_line;
};

bool Has(std::string_view line, std::string_view words) {
  return line.find(words) != std::string_view::npos;
}

bool HasAny(std::string_view line, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words)
    if (Has(line, word)) return true;
  return false;
}

void Note(std::string& slot, std::string_view line) {
  if (slot.empty()) slot = std::string(line.substr(0, 400));
}

void Remember(std::optional<double>& slot, std::optional<double> value) {
  if (value) slot = value;
}

void ReadNumbers(std::string_view line, Facts& facts) {
  Remember(facts.n_past, NumberAfter(line, "n_past"));
  Remember(facts.slot_tokens, NumberAfter(line, "slot.prompt.tokens.size()"));
  Remember(facts.n_swa, NumberAfter(line, "n_swa"));
  if (const auto keep = NumberAfter(line, "f_keep");
      keep && (!facts.lowest_keep || *keep < *facts.lowest_keep)) {
    facts.lowest_keep = keep;
    facts.keep_line = std::string(line.substr(0, 400));
  }
}

void ReadEngine(std::string_view line, Facts& facts) {
  if (Has(line, "forcing full prompt re-processing") || Has(line, "failed to truncate tokens") ||
      (Has(line, "lack of cache data") && Has(line, "prompt")))
    Note(facts.no_rollback, line);
  if (Has(line, "restored context checkpoint")) {
    Note(facts.checkpoint, line);
    Remember(facts.checkpoint_pos, NumberAfter(line, "pos_max"));
  }
  const bool caching = HasAny(line, {"prefix caching", "Prefix caching", "prefix cache", "radix cache",
                                     "cache_reuse", "cache reuse", "APC"});
  const bool off =
      HasAny(line, {"not supported", "disabl", "Disabl", "incompatible", "unsupported", "not compatible"});
  if (!caching || !off) return;
  const bool feature = HasAny(line, {"specul", "Specul", "MTP", "mtp", "EAGLE", "eagle", "LoRA", "lora",
                                     "multimodal", "mmproj", "determinist", "logprob", "draft"});
  Note(feature ? facts.conflict : facts.cannot, line);
}

void ReadContext(std::string_view line, Facts& facts) {
  if (HasAny(line, {"truncating input prompt", "input truncated", "context shift", "prompt truncated",
                    "truncated prompt"})) {
    Note(facts.truncated, line);
    Remember(facts.limit, NumberAfter(line, "limit"));
    if (!facts.limit) Remember(facts.limit, NumberAfter(line, "n_ctx"));
    Remember(facts.prompt, NumberAfter(line, "prompt"));
    if (!facts.prompt) Remember(facts.prompt, NumberAfter(line, "n_prompt_tokens"));
  }
  if (!HasAny(line, {"exceeds the available context size", "maximum context length",
                     "longer than the context length", "longer than the model's context length",
                     "exceed_context_size"}))
    return;
  Note(facts.too_small, line);
  Remember(facts.request_tokens, NumberAfter(line, "request ("));
  Remember(facts.n_ctx, NumberAfter(line, "context size ("));
}

void ReadLine(std::string_view line, Facts& facts) {
  ReadNumbers(line, facts);
  ReadEngine(line, facts);
  ReadContext(line, facts);
  if (HasAny(line, {"removing oldest entry", "purging slot"})) Note(facts.evicted, line);
  if (const auto rate = NumberAfter(line, "Prefix cache hit rate")) {
    facts.hit_rate = rate;
    Note(facts.rate_line, line);
  }
}

Facts ReadLog(std::string_view log) {
  Facts facts;
  for (std::size_t begin = 0; begin <= log.size();) {
    const std::size_t newline = log.find('\n', begin);
    const std::size_t end = newline == std::string_view::npos ? log.size() : newline;
    ReadLine(log.substr(begin, end - begin), facts);
    begin = end + 1;
  }
  return facts;
}

Json WithLine(const std::string& line, Json numbers = Json::object()) {
  numbers["line"] = line;
  return numbers;
}

Json CannotRollBack(const Facts& facts) {
  std::string fact = "the engine could not go back to where the prompts part and read the whole prompt again";
  if (facts.n_past && facts.slot_tokens)
    fact += "; the prompts share " + NumberText(*facts.n_past) + " of " + NumberText(*facts.slot_tokens) +
            " tokens in the slot";
  return FindingJson("ENGINE_CANNOT_ROLL_BACK", fact, "llama-server",
                     WithLine(facts.no_rollback, Json{{"n_past", OrNull(facts.n_past)},
                                                      {"slot_tokens", OrNull(facts.slot_tokens)},
                                                      {"n_swa", OrNull(facts.n_swa)}}));
}

Json Evicted(const Facts& facts) {
  const Json numbers{{"f_keep", OrNull(facts.lowest_keep)}};
  if (facts.lowest_keep && *facts.lowest_keep < kKeptShare)
    return FindingJson(
        "EVICTED_BY_SIDE_REQUEST",
        "a request kept only " + NumberText(*facts.lowest_keep * 100) + " % of what the slot held",
        "llama-server", WithLine(facts.keep_line, numbers));
  return FindingJson("EVICTED_BY_SIDE_REQUEST", "the host cache dropped an entry to make room",
                     "llama-server", WithLine(facts.evicted, numbers));
}

}  // namespace

Json DiagnoseLog(std::string_view log) {
  const Facts facts = ReadLog(log);
  if (!facts.truncated.empty())
    return FindingJson(
        "CONTEXT_TRUNCATED", "the front of the prompt was cut to fit the context", "",
        WithLine(facts.truncated, Json{{"limit", OrNull(facts.limit)}, {"prompt", OrNull(facts.prompt)}}));
  if (!facts.too_small.empty())
    return FindingJson("CONTEXT_TOO_SMALL", "the request is longer than the context", "",
                       WithLine(facts.too_small, Json{{"request_tokens", OrNull(facts.request_tokens)},
                                                      {"slot_ctx", OrNull(facts.n_ctx)}}));
  if (!facts.no_rollback.empty()) return CannotRollBack(facts);
  if (!facts.conflict.empty())
    return FindingJson("ENGINE_FEATURE_CONFLICT", "the engine turned reuse off because of another feature",
                       "", WithLine(facts.conflict));
  if (!facts.cannot.empty())
    return FindingJson("ENGINE_CANNOT_REUSE", "the engine says that it cannot reuse a prefix here", "",
                       WithLine(facts.cannot));
  if ((facts.lowest_keep && *facts.lowest_keep < kKeptShare) ||
      (!facts.lowest_keep && !facts.evicted.empty()))
    return Evicted(facts);
  if (!facts.checkpoint.empty() && facts.checkpoint_pos && facts.n_past &&
      *facts.checkpoint_pos + 1 < *facts.n_past)
    return FindingJson(
        "SNAPSHOT_GRID", "the engine went back to a checkpoint before the point where the prompts part",
        "llama-server",
        WithLine(facts.checkpoint, Json{{"matched", *facts.n_past}, {"cached", *facts.checkpoint_pos}}));
  if (facts.hit_rate)
    return FindingJson("USE_DELTA", "the log's hit rate covers all traffic", "vllm",
                       WithLine(facts.rate_line, Json{{"gauge", *facts.hit_rate / 100}}));
  return Unconfirmed("no line of the log names a cause that this program knows");
}

Json DiagnoseLogCase(const Json& input) {
  const Json* log = Find(input, "log");
  if (!log) log = Find(input, "lines");
  if (!log) return Unconfirmed("the case holds no log");
  if (log->is_string()) return DiagnoseLog(log->get_ref<const std::string&>());
  std::string text;
  if (log->is_array())
    for (const Json& line : *log)
      if (line.is_string()) text += line.get_ref<const std::string&>() + "\n";
  return DiagnoseLog(text);
}

}  // namespace helix::consistency
