#include "core/consistency/backend_probe.h"

#include <optional>
#include <utility>

#include "core/base/clock.h"
#include "core/base/json_fields.h"
#include "core/base/random.h"
#include "core/consistency/finding.h"
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

std::optional<std::int64_t> Count(const Measured<Tokens>& tokens) {
  return tokens.present() ? std::optional(tokens.value().count) : std::nullopt;
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
    const auto cached = usage ? Count(usage->usage.cache_read) : std::nullopt;
    if (usage) needle.prompt = Count(usage->usage.in_total);
    (i == 0 ? needle.first : needle.second) = cached;
    (i == 0 ? needle.first_ms : needle.second_ms) = reply->total_ms;
  }
  return needle;
}

struct KindFacts {
  const char* kind;
  bool ids_in, ids_out, prefill_time, tokenizer;
  const char* flag;
  const char* cold;  // best first, comma separated
};

// By interface; what was proven for this server stands in the needle.
constexpr KindFacts kKinds[] = {
    {"llama-server", true, true, true, true, "", "per_request_switch,flush,restart"},
    {"vllm", true, true, false, true, "--enable-prompt-tokens-details", "salt,flush,restart"},
    {"sglang", true, true, false, true, "--enable-cache-report", "salt,flush,restart"},
    {"ollama", false, false, true, false, "a version after 0.33.2", "restart"},
    {"openai-compatible", false, false, false, false, "", "nonce_first"},
};

Json ColdMethods(const std::string& names) {
  Json list = Json::array();
  for (std::size_t begin = 0; begin < names.size();) {
    std::size_t end = names.find(',', begin);
    if (end == std::string::npos) end = names.size();
    list.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return list;
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

Json Describe(const ServerKind& server, const KindFacts& facts, const Needle& needle) {
  Json out{{"kind", server.kind}, {"version", server.version}, {"model", server.model}};
  out["cached_count"] = needle.second.has_value();
  out["zero_is_reported"] = needle.second ? Json(needle.first.has_value()) : Json(nullptr);
  out["token_ids_in"] = facts.ids_in;
  out["token_ids_out"] = facts.ids_out;
  out["prefill_time"] = facts.prefill_time;
  out["tokenizer"] = facts.tokenizer;
  out["granularity"] = OrNull(server.granularity);
  out["cold_methods"] = ColdMethods(facts.cold);
  out["reporting_flag"] = needle.second || !*facts.flag ? Json(nullptr) : Json(facts.flag);
  out["needle"] = Json{{"prompt", OrNull(needle.prompt)},
                       {"first_cached", OrNull(needle.first)},
                       {"repeat_cached", OrNull(needle.second)},
                       {"first_ms", needle.first_ms},
                       {"repeat_ms", needle.second_ms}};
  out["facts"] = server.facts;
  out["notes"] = Json::array(
      {"the pair of requests took a slot and evicted what it held", "a salt isolates and does not reset",
       "token ids, prefill time and tokenizer are stated by interface and were not asked for here"});
  return out;
}

}  // namespace

Result<Json> ProbeBackend(const ProbeOptions& options, const RunContext& context) {
  net::HttpClient client(options.base_url);
  auto server = IdentifyServer(client, options.api_key, context);
  if (!server) return tl::make_unexpected(server.error());
  if (server->kind == "post-only-proxy")
    return FindingJson("TARGET_IS_POST_ONLY_PROXY", "GET is answered with 405", "",
                       Json{{"kind", server->kind}});
  auto needle = SendPair(client, *server, options, context);
  if (!needle) return tl::make_unexpected(needle.error());
  const KindFacts* facts = &kKinds[4];
  for (const KindFacts& each : kKinds)
    if (server->kind == each.kind) facts = &each;
  const Judgement judged = Judge(*needle);
  return FindingJson(judged.verdict, judged.fact, server->kind, Describe(*server, *facts, *needle));
}

}  // namespace helix::consistency
