#include "core/usage/prometheus.h"

#include <cmath>
#include <map>

#include "core/usage/settle.h"

namespace helix::usage {
namespace {

using Totals = std::map<std::string, double, std::less<>>;

void Line(std::string_view line, Totals& totals) {
  if (line.empty() || line.front() == '#') return;
  auto name_end = line.find_first_of("{ \t");
  if (name_end == std::string_view::npos) return;
  auto value_at = line.front() == '{' ? std::string_view::npos : name_end;
  if (line[name_end] == '{') value_at = line.rfind('}');
  if (value_at == std::string_view::npos) return;
  std::string rest(line.substr(value_at + 1));
  char* end = nullptr;
  double value = std::strtod(rest.c_str(), &end);
  if (end == rest.c_str() || !std::isfinite(value)) return;
  totals[std::string(line.substr(0, name_end))] += value;
}

Totals ReadTotals(std::string_view text) {
  Totals totals;
  while (!text.empty()) {
    auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    Line(line, totals);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return totals;
}

Count Get(const Totals& totals, std::initializer_list<std::string_view> names) {
  for (auto name : names) {
    auto it = totals.find(name);
    if (it == totals.end()) continue;
    if (it->second < 0 || it->second > 9007199254740992.0) return {Count::State::kInvalid, 0};
    return MakeCount(std::llround(it->second));
  }
  return {};
}

std::optional<Reply> Make(const char* shape, const Draft& draft) {
  Reply out;
  out.shape = shape;
  out.source = "metrics";
  Settle(draft, out.usage);
  AddReuseFlags(out.usage);
  out.usage.AddFlag("since_start");
  return out;
}

std::optional<Reply> Vllm(const Totals& t) {
  Draft draft;
  draft.input =
      Get(t, {"vllm:prompt_tokens_total", "vllm:prefix_cache_queries_total", "vllm:prefix_cache_queries",
              "vllm:gpu_prefix_cache_queries_total", "vllm:gpu_prefix_cache_queries"});
  draft.read =
      Get(t, {"vllm:prompt_tokens_cached_total", "vllm:prefix_cache_hits_total", "vllm:prefix_cache_hits",
              "vllm:gpu_prefix_cache_hits_total", "vllm:gpu_prefix_cache_hits"});
  draft.output = Get(t, {"vllm:generation_tokens_total"});
  if (!draft.input.present() && !draft.read.present()) return std::nullopt;
  return Make("vllm_metrics", draft);
}

std::optional<Reply> Sglang(const Totals& t) {
  Draft draft;
  draft.input = Get(t, {"sglang:prompt_tokens_total"});
  draft.read = Get(t, {"sglang:cached_tokens_total"});
  draft.output = Get(t, {"sglang:generation_tokens_total"});
  if (!draft.input.present()) return std::nullopt;
  return Make("sglang_metrics", draft);
}

// llama-server's prompt counter leaves the cached part out.
std::optional<Reply> LlamaServer(const Totals& t) {
  Draft draft;
  draft.uncached = Get(t, {"llamacpp:prompt_tokens_total"});
  draft.read = Get(t, {"llamacpp:prompt_tokens_cached_total"});
  draft.output = Get(t, {"llamacpp:tokens_predicted_total"});
  if (!draft.uncached.present()) return std::nullopt;
  return Make("llama_server_metrics", draft);
}

}  // namespace

bool LooksLikePrometheus(std::string_view text) {
  return text.find("vllm:") != std::string_view::npos || text.find("sglang:") != std::string_view::npos ||
         text.find("llamacpp:") != std::string_view::npos;
}

std::optional<Reply> ReadPrometheus(std::string_view text) {
  Totals totals = ReadTotals(text);
  for (auto read : {Vllm, Sglang, LlamaServer}) {
    if (auto reply = read(totals)) return reply;
  }
  return std::nullopt;
}

}  // namespace helix::usage
