#include "core/consistency/backend_probe.h"

#include <optional>
#include <utility>

#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "core/base/random.h"
#include "core/base/skip.h"
#include "core/consistency/finding.h"
#include "core/consistency/probe_native.h"
#include "core/consistency/probe_totals.h"
#include "core/consistency/server_kind.h"
#include "core/usage/recognise.h"

namespace helix::consistency {
namespace {

constexpr int kWords = 600;          // more than any usual block
constexpr double kSeen = 0.5;        // of the prompt reused in the repeat: a hit
constexpr double kFaster = 1.0 / 3;  // of the first request's time

struct Needle {
  std::optional<std::int64_t> first, second, prompt;
  double first_ms = 0;
  double second_ms = 0;
  bool prompts_known = true;
  std::int64_t prompts = 0;  // of both requests, as the replies say
  Json totals;               // the server's own, reconciled with the replies
};

// Words that no earlier prompt begins with.
std::string FreshPrompt(std::uint64_t seed) {
  SplitMix64 random(seed ^ static_cast<std::uint64_t>(SteadyNowNs()));
  std::string text;
  for (int i = 0; i < kWords; ++i) {
    for (int letter = 0; letter < 5; ++letter) text += static_cast<char>('a' + random.Below(26));
    text += ' ';
  }
  return text;
}

Json RequestFor(const ServerKind& server, const std::string& model, const std::string& prompt) {
  if (server.kind == "ollama")
    return Json{{"model", model},
                {"prompt", prompt},
                {"raw", true},
                {"stream", false},
                {"options", {{"num_predict", 1}, {"temperature", 0}}}};
  return Json{{"model", model},
              {"messages", Json::array({Json{{"role", "user"}, {"content", prompt}}})},
              {"max_tokens", 1},
              {"temperature", 0},
              {"stream", false}};
}

Result<Needle> SendPair(net::HttpClient& client, const ServerKind& server, const ProbeOptions& options,
                        const RunContext& context) {
  const std::string path = server.kind == "ollama" ? "/api/generate" : "/v1/chat/completions";
  const std::string model = options.model.empty() ? server.model : options.model;
  const Json body = RequestFor(server, model, FreshPrompt(options.seed));
  Needle needle;
  for (int i = 0; i < 2; ++i) {
    auto reply = Ask(client, "POST", path, &body, options.api_key, context);
    if (!reply) return tl::make_unexpected(reply.error());
    if (reply->status != 200)
      return Fail(ErrorCode::kProtocol, path + " answered " + std::to_string(reply->status),
                  "check the model's name and the key");
    const auto usage = usage::ReadReply(reply->body, server.kind == "openai-compatible" ? "" : server.kind);
    const auto cached = usage ? usage::CountOf(usage->usage.cache_read) : std::nullopt;
    if (usage) needle.prompt = usage::CountOf(usage->usage.in_total);
    needle.prompts_known = needle.prompts_known && needle.prompt;
    needle.prompts += needle.prompt.value_or(0);
    (i == 0 ? needle.first : needle.second) = cached;
    (i == 0 ? needle.first_ms : needle.second_ms) = reply->total_ms;
  }
  return needle;
}

// What turns the report of reused tokens on.
std::string ReportingFlag(const std::string& kind) {
  if (kind == "vllm") return "--enable-prompt-tokens-details";
  if (kind == "sglang") return "--enable-cache-report";
  return kind == "ollama" ? "a version after 0.33.2" : "";
}

// The pair, with the server's totals read before and after.
Result<Needle> SendReconciledPair(net::HttpClient& client, const ServerKind& server,
                                  const ProbeOptions& options, const RunContext& context) {
  const auto before = ReadTotals(client, server.kind, options.api_key, context);
  auto needle = SendPair(client, server, options, context);
  if (!needle) return needle;
  const auto after =
      before ? ReadSettledTotals(client, server.kind, options.api_key, *before, context) : std::nullopt;
  // A zero that is left out is a zero once a hit was seen.
  const auto first = needle->first    ? needle->first
                     : needle->second ? std::optional<std::int64_t>(0)
                                      : std::nullopt;
  const auto cached = first && needle->second ? std::optional(*first + *needle->second) : std::nullopt;
  const auto prompts = needle->prompts_known ? std::optional(needle->prompts) : std::nullopt;
  needle->totals = Reconcile(before, after, prompts, cached);
  return needle;
}

struct Judgement {
  std::string verdict;
  std::string fact;
};

Judgement Judge(const Needle& needle) {
  if (needle.second) {
    const double share = needle.prompt && *needle.prompt > 0
                             ? static_cast<double>(*needle.second) / static_cast<double>(*needle.prompt)
                             : 0;
    if (share >= kSeen)
      return {"OK_PARTIAL_HIT", "the repeat of a fresh prompt reused " + std::to_string(*needle.second) +
                                    " tokens: hits are visible"};
    return {"CACHE_NOT_FUNCTIONING", "the repeat of a fresh prompt reused " + std::to_string(*needle.second) +
                                         " tokens: the cache is off, or the counter is blind"};
  }
  if (needle.second_ms <= kFaster * needle.first_ms)
    return {"REPORTING_OFF_TIMING_SUGGESTS_HIT",
            "reuse is not reported; the repeat took " + NumberText(needle.second_ms) +
                " ms and the first request " + NumberText(needle.first_ms) + " ms"};
  return {"REPORTING_OFF", "the repeat of a fresh prompt reports no reuse at all, which is not zero"};
}

Json Describe(const ServerKind& server, const NativeProbe& native, const Needle& needle) {
  const std::string flag = ReportingFlag(server.kind);
  Json out{{"kind", server.kind}, {"version", server.version}, {"model", server.model}};
  out["cached_count"] = needle.second.has_value();
  out["zero_is_reported"] = needle.second ? Json(needle.first.has_value()) : Json(nullptr);
  out["token_ids_in"] = native.token_ids_in;
  out["token_ids_out"] = native.token_ids_out;
  out["prefill_time"] = native.prefill_time;
  out["tokenizer"] = native.tokenizer;
  out["metrics"] = native.metrics || BoolAt(needle.totals, "available").value_or(false);
  out["granularity"] = OrNull(server.granularity);
  out["cold_methods"] = native.cold_methods;
  out["reporting_flag"] = needle.second || flag.empty() ? Json(nullptr) : Json(flag);
  out["totals"] = needle.totals;
  out["needle"] = Json{{"prompt", OrNull(needle.prompt)},
                       {"first_cached", OrNull(needle.first)},
                       {"repeat_cached", OrNull(needle.second)},
                       {"first_ms", needle.first_ms},
                       {"repeat_ms", needle.second_ms}};
  out["facts"] = server.facts;
  out["notes"] = Json::array(
      {"the pair of requests took a slot and evicted what it held", "a salt isolates and does not reset",
       native.cold_methods.empty() ? "no cold call is possible here: one is refused, never silently warm"
                                   : "a capability that is false did not answer when it was asked for"});
  return out;
}

}  // namespace

Result<Json> ProbeBackend(const ProbeOptions& options, const RunContext& context) {
  net::HttpClient client(options.base_url);
  auto server = IdentifyServer(client, options.api_key, context);
  if (!server && server.error().code == ErrorCode::kUnavailable)
    return MakeSkip("server_unreachable", server.error().message, server.error().hint).ToJson();
  if (!server) return tl::make_unexpected(server.error());
  if (server->kind == "post-only-proxy")
    return FindingJson("TARGET_IS_POST_ONLY_PROXY", "GET is answered with 405", "",
                       Json{{"kind", server->kind}});
  auto needle = SendReconciledPair(client, *server, options, context);
  if (!needle) return tl::make_unexpected(needle.error());
  const std::string model = options.model.empty() ? server->model : options.model;
  const NativeProbe native = ProbeNative(server->kind, options.base_url, options.api_key, model, context);
  const Judgement judged = Judge(*needle);
  Json described = Describe(*server, native, *needle);
  if (options.isolation) {
    auto isolation = ProbeIsolation(server->kind, options.base_url, options.api_key, options.other_key, model,
                                    options.seed, context);
    described["isolation"] = isolation
                                 ? std::move(*isolation)
                                 : Json{{"verdict", "UNCONFIRMED"}, {"fact", isolation.error().message}};
  }
  return FindingJson(judged.verdict, judged.fact, server->kind, described);
}

}  // namespace helix::consistency
