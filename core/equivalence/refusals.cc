#include "core/equivalence/refusals.h"

#include <fmt/format.h>

#include <set>

namespace helix::equivalence {
namespace {

void CheckCounters(const Comparison& in, const RefusalPolicy& policy, std::vector<Refusal>& out) {
  if (!in.cached.cached_tokens || !in.fresh.cached_tokens) {
    out.push_back({"counter_missing",
                   "no counter proves which arm used the cache: the server must report reused "
                   "tokens in both"});
    return;
  }
  if (*in.fresh.cached_tokens > policy.cold_allow) {
    out.push_back({"fresh_was_cached", fmt::format("the fresh arm reused {} tokens, at most {} are allowed",
                                                   *in.fresh.cached_tokens, policy.cold_allow)});
  }
  if (*in.cached.cached_tokens <= policy.cold_allow) {
    out.push_back({"cached_was_fresh", fmt::format("the cached arm reused {} tokens, more than {} are needed",
                                                   *in.cached.cached_tokens, policy.cold_allow)});
  }
  if (in.cached.prompt_tokens && in.fresh.prompt_tokens &&
      *in.cached.prompt_tokens != *in.fresh.prompt_tokens) {
    out.push_back({"prompt_tokens_differ", fmt::format("the cached prompt has {} tokens, the fresh one {}",
                                                       *in.cached.prompt_tokens, *in.fresh.prompt_tokens)});
  }
}

bool Degenerate(const std::vector<TokenId>& tokens) {
  return tokens.size() >= 8 && std::set<TokenId>(tokens.begin(), tokens.end()).size() <= 2;
}

void CheckOutputs(const Comparison& in, const RefusalPolicy& policy, std::vector<Refusal>& out) {
  const bool ids = in.cached.has_token_ids && in.fresh.has_token_ids;
  const bool both_empty = ids ? in.cached.tokens.empty() && in.fresh.tokens.empty()
                              : in.cached.text.empty() && in.fresh.text.empty();
  if (both_empty) {
    out.push_back({"empty_output", "both arms are empty: nothing was compared"});
    return;
  }
  if (!ids) return;
  const std::size_t shorter = std::min(in.cached.tokens.size(), in.fresh.tokens.size());
  if (shorter > 0 && shorter < policy.min_tokens && in.cached.tokens == in.fresh.tokens) {
    out.push_back({"too_few_tokens", fmt::format("{} equal tokens are fewer than the {} that are needed",
                                                 shorter, policy.min_tokens)});
  }
  if (Degenerate(in.cached.tokens) && Degenerate(in.fresh.tokens)) {
    out.push_back(
        {"degenerate_output", "both arms repeat at most two tokens: such outputs agree by themselves"});
  }
}

}  // namespace

std::vector<Refusal> Refusals(const Comparison& in, const RefusalPolicy& policy) {
  std::vector<Refusal> out;
  if (!in.cached.response_sha256.empty() && in.cached.response_sha256 == in.fresh.response_sha256) {
    out.push_back({"tautology_same_response", "both arms are one and the same response"});
  }
  CheckCounters(in, policy, out);
  CheckOutputs(in, policy, out);
  if (in.cached.normalised || in.fresh.normalised) {
    out.push_back(
        {"normalised_text", "an arm was changed before the comparison: only the raw output counts"});
  }
  return out;
}

std::vector<Refusal> RefusalsAcross(const std::vector<std::vector<TokenId>>& prompts,
                                    const std::vector<std::vector<TokenId>>& outputs) {
  const std::set<std::vector<TokenId>> different(prompts.begin(), prompts.end());
  const std::set<std::vector<TokenId>> answers(outputs.begin(), outputs.end());
  if (different.size() < 3 || answers.size() != 1) return {};
  return {
      {"prompt_insensitive",
       fmt::format("{} different prompts have one and the same output: the model does not read its prompt",
                   different.size())}};
}

Json ToJson(const std::vector<Refusal>& refusals) {
  Json list = Json::array();
  for (const Refusal& refusal : refusals)
    list.push_back({{"code", refusal.code}, {"reason", refusal.reason}});
  return list;
}

}  // namespace helix::equivalence
