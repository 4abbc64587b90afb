#include "core/consistency/probe_totals.h"

#include <thread>

#include "core/backend/engine.h"
#include "core/backend/prometheus.h"
#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "core/consistency/server_kind.h"

namespace helix::consistency {
namespace {

constexpr std::int64_t kSettleNs = 1'200'000'000;
constexpr Millis kPoll{20};

using Count = std::optional<std::int64_t>;

Count Sum(const Json& metrics, const char* name) {
  const auto sum = backend::MetricSum(metrics, name);
  return sum ? Count(static_cast<std::int64_t>(*sum)) : std::nullopt;
}

std::optional<ServerTotals> Pick(const Json& metrics, const std::string& kind) {
  ServerTotals totals;
  if (kind == "llama-server") {
    totals.cached = Sum(metrics, "llamacpp:prompt_tokens_cached_total");
    const Count processed = Sum(metrics, "llamacpp:prompt_tokens_total");  // without the cached ones
    if (processed && totals.cached) totals.prompt = *processed + *totals.cached;
  } else if (kind == "vllm") {
    totals.prompt = Sum(metrics, "vllm:prompt_tokens_total");
    totals.cached = Sum(metrics, "vllm:prompt_tokens_cached_total");
    if (!totals.cached) totals.cached = Sum(metrics, "vllm:prefix_cache_hits_total");
    if (!totals.cached) totals.cached = Sum(metrics, "vllm:gpu_prefix_cache_hits_total");
  } else if (kind == "sglang") {
    totals.prompt = Sum(metrics, "sglang:prompt_tokens_total");
    totals.cached = Sum(metrics, "sglang:cached_tokens_total");
  }
  return totals.prompt || totals.cached ? std::optional(totals) : std::nullopt;
}

bool Same(const ServerTotals& a, const ServerTotals& b) {
  return a.prompt == b.prompt && a.cached == b.cached;
}

Count Delta(const Count& before, const Count& after) {
  return before && after ? Count(*after - *before) : std::nullopt;
}

}  // namespace

std::optional<ServerTotals> ReadTotals(net::HttpClient& client, const std::string& kind,
                                       const std::string& api_key, const RunContext& context) {
  const auto reply = Ask(client, "GET", "/metrics", nullptr, api_key, context);
  if (!reply || reply->status != 200) return std::nullopt;
  return Pick(backend::ParsePrometheus(reply->text), kind);
}

std::optional<ServerTotals> ReadSettledTotals(net::HttpClient& client, const std::string& kind,
                                              const std::string& api_key, const ServerTotals& before,
                                              const RunContext& context) {
  const std::int64_t end = SteadyNowNs() + kSettleNs;
  std::optional<ServerTotals> last;
  while (true) {
    const auto now = ReadTotals(client, kind, api_key, context);
    if (!now) return last;
    const bool stable = last && Same(*last, *now) && !Same(before, *now);
    last = now;
    if (stable || SteadyNowNs() > end || context.Cancelled()) return last;
    std::this_thread::sleep_for(kPoll);
  }
}

Json Reconcile(const std::optional<ServerTotals>& before, const std::optional<ServerTotals>& after,
               const std::optional<std::int64_t>& prompt, const std::optional<std::int64_t>& cached) {
  if (!before || !after)
    return Json{{"available", false},
                {"prompt_delta", nullptr},
                {"cached_delta", nullptr},
                {"agrees", nullptr},
                {"note", "the server shows no totals of prompt tokens"}};
  const Count prompt_delta = Delta(before->prompt, after->prompt);
  const Count cached_delta = Delta(before->cached, after->cached);
  Json out{
      {"available", true}, {"prompt_delta", OrNull(prompt_delta)}, {"cached_delta", OrNull(cached_delta)}};
  const bool prompts_known = prompt_delta && prompt;
  const bool cached_known = cached_delta && cached;
  if (!prompts_known && !cached_known) {
    out["agrees"] = nullptr;
    out["note"] = cached_delta && *cached_delta > 0
                      ? "the replies report no reuse and the server's totals show it: read it there"
                      : "there is nothing to compare the totals with";
    return out;
  }
  const bool agrees =
      (!prompts_known || *prompt_delta == *prompt) && (!cached_known || *cached_delta == *cached);
  out["agrees"] = agrees;
  out["note"] =
      agrees ? "the totals moved by what the replies say"
             : "the totals moved by something else than the replies say: contaminated by other traffic, or "
               "one of the two counters is wrong";
  return out;
}

}  // namespace helix::consistency
