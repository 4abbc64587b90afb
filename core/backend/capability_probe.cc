#include "core/backend/capability_probe.h"

#include <algorithm>

#include "core/base/clock.h"
#include "core/base/random.h"

namespace helix::backend {
namespace {

constexpr int kLeastTokens = 64;

std::string FreshText(std::uint64_t seed, int words) {
  SplitMix64 random(seed ^ static_cast<std::uint64_t>(SteadyNowNs()));
  std::string text;
  for (int i = 0; i < words; ++i) {
    for (int letter = 0; letter < 5; ++letter) text += static_cast<char>('a' + random.Below(26));
    text += ' ';
  }
  return text;
}

// As token ids of exactly `tokens` where the server takes them, else as text of about as many.
Result<GenerateRequest> FreshRequest(Backend& backend, int tokens, std::uint64_t seed,
                                     const RunContext& context) {
  GenerateRequest request;
  request.text = FreshText(seed, tokens);
  if (!backend.capabilities().token_ids_in) return request;
  auto ids = backend.Tokenize(request.text, true, context);
  if (!ids) return tl::make_unexpected(ids.error());
  if (ids->size() > static_cast<std::size_t>(tokens)) ids->resize(static_cast<std::size_t>(tokens));
  request.prompt = std::move(*ids);
  request.text.clear();
  return request;
}

int TokensFor(const Backend& backend, int blocks) {
  return std::max(kLeastTokens, backend.capabilities().block_size * blocks + 1);
}

// Cached tokens of one call; kUnavailable where the server does not say.
Result<std::int64_t> Cached(Backend& backend, const GenerateRequest& request, const RunContext& context) {
  auto reply = backend.Generate(request, context);
  if (!reply) return tl::make_unexpected(reply.error());
  if (!reply->cached_tokens.present())
    return Fail(ErrorCode::kUnavailable, "the server does not report reused tokens, so nothing can be proven",
                "turn its report on");
  return reply->cached_tokens.value();
}

}  // namespace

Result<WarmPair> ProbeWarmPair(Backend& backend, int blocks, const RunContext& context) {
  auto request = FreshRequest(backend, TokensFor(backend, blocks), 1, context);
  if (!request) return tl::make_unexpected(request.error());
  WarmPair pair;
  auto first = backend.Generate(*request, context);
  if (!first) return tl::make_unexpected(first.error());
  auto repeat = backend.Generate(*request, context);
  if (!repeat) return tl::make_unexpected(repeat.error());
  pair.prompt_tokens = repeat->prompt_tokens;
  pair.first_cached = first->cached_tokens;
  pair.repeat_cached = repeat->cached_tokens;
  pair.first_ms = static_cast<double>(first->total_ns) / 1e6;
  pair.repeat_ms = static_cast<double>(repeat->total_ns) / 1e6;
  return pair;
}

Status ProvenReset(Backend& backend, const RunContext& context) {
  auto request = FreshRequest(backend, TokensFor(backend, 4), 2, context);
  if (!request) return tl::make_unexpected(request.error());
  auto primed = backend.Generate(*request, context);
  if (!primed) return tl::make_unexpected(primed.error());
  auto before = Cached(backend, *request, context);
  if (!before) return tl::make_unexpected(before.error());
  if (*before == 0)
    return Fail(ErrorCode::kUnavailable, "a repeated prompt shows no hit, so a reset cannot be proven",
                "the cache is off, or the counter is blind");
  HELIX_TRY(backend.Flush(context));
  auto after = Cached(backend, *request, context);
  if (!after) return tl::make_unexpected(after.error());
  if (*after == 0) return {};
  return Fail(ErrorCode::kProtocol,
              "the server said that its cache was emptied, and the next call still reused " +
                  std::to_string(*after) + " tokens",
              "another store may stand behind it (LMCache, host memory); restart the server instead");
}

Result<Json> CheckIsolation(Backend& backend, Backend* other_key, int prompts, std::uint64_t seed,
                            const RunContext& context) {
  int same = 0;
  int other = 0;
  int none = 0;
  int key = 0;
  for (int i = 0; i < prompts; ++i) {
    auto request =
        FreshRequest(backend, TokensFor(backend, 4), seed + static_cast<std::uint64_t>(i), context);
    if (!request) return tl::make_unexpected(request.error());
    const std::string mine = "helix-a-" + std::to_string(seed) + "-" + std::to_string(i);
    request->salt = mine;
    if (auto primed = backend.Generate(*request, context); !primed)
      return tl::make_unexpected(primed.error());
    struct Try {
      Backend* server;
      std::string salt;
      int* hits;
    };
    for (const Try& one : {Try{&backend, mine, &same}, Try{other_key, mine, &key},
                           Try{&backend, "helix-b-" + mine, &other}, Try{&backend, "", &none}}) {
      if (one.server == nullptr) continue;
      request->salt = one.salt;
      auto cached = Cached(*one.server, *request, context);
      if (!cached) return tl::make_unexpected(cached.error());
      *one.hits += *cached > 0 ? 1 : 0;
    }
  }
  const bool seen = prompts > 0 && same == prompts;
  return Json{
      {"verdict", other + none + key > 0 ? "CROSSES"
                  : seen                 ? "ISOLATED"
                                         : "UNCONFIRMED"},
      {"fact", seen ? "random prompts of our own were hits under their own salt"
                    : "a repeat under its own salt was no hit, so a missing hit elsewhere says nothing"},
      {"prompts", prompts},
      {"hits_same_salt", same},
      {"hits_other_salt", other},
      {"hits_no_salt", none},
      {"hits_other_key", other_key ? Json(key) : Json(nullptr)}};
}

}  // namespace helix::backend
