#include "core/equivalence/refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace helix::equivalence {
namespace {

using Arms = std::vector<std::pair<const char*, const ArmOutput*>>;

Arms ArmsOf(const Comparison& in) {
  Arms out = {{"cached", &in.cached}, {"fresh", &in.fresh}};
  if (in.fresh_again) out.emplace_back("second fresh", &*in.fresh_again);
  return out;
}

// One stored response given twice agrees with itself, whatever the cache holds.
void CheckResponses(const Comparison& in, std::vector<Refusal>& out) {
  const Arms arms = ArmsOf(in);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    for (std::size_t j = i + 1; j < arms.size(); ++j) {
      const std::string& digest = arms[i].second->response_sha256;
      if (digest.empty() || digest != arms[j].second->response_sha256) continue;
      out.push_back({"tautology_same_response",
                     fmt::format("the {} and the {} arm are one and the same response, byte for byte",
                                 arms[i].first, arms[j].first)});
      return;
    }
  }
}

// What one arm's own counters say against each other and against what was sent.
void CheckArm(const char* name, const ArmOutput& arm, const Comparison& in, std::vector<Refusal>& out) {
  const auto sent = in.map.prompt_tokens;
  const auto counted = arm.prompt_tokens;
  if (arm.truncated) {
    out.push_back({"truncated", fmt::format("the server cut the {} arm's prompt", name)});
  }
  if (sent && counted && *sent != *counted) {
    out.push_back({"prompt_tokens_differ",
                   fmt::format("{} tokens were sent, the {} arm counts {}", *sent, name, *counted)});
  }
  if (!counted || !arm.cached_tokens) return;
  if (*arm.cached_tokens < 0 || *arm.cached_tokens > *counted) {
    out.push_back({"cached_gt_prompt", fmt::format("the {} arm counts {} reused tokens in a prompt of {}",
                                                   name, *arm.cached_tokens, *counted)});
  } else if (arm.processed_tokens && *arm.cached_tokens + *arm.processed_tokens != *counted) {
    out.push_back({"counter_identity",
                   fmt::format("the {} arm counts {} reused and {} evaluated tokens in a prompt of {}", name,
                               *arm.cached_tokens, *arm.processed_tokens, *counted)});
  }
}

void CheckCounters(const Comparison& in, const RefusalPolicy& policy, std::vector<Refusal>& out) {
  for (const auto& [name, arm] : ArmsOf(in)) {
    if (arm->cached_tokens) continue;
    out.push_back({"counter_missing", fmt::format("no counter proves what the {} arm reused: the server must "
                                                  "report reused tokens in every arm",
                                                  name)});
    return;
  }
  for (const auto& [name, arm] : ArmsOf(in)) {
    if (arm == &in.cached || *arm->cached_tokens <= policy.cold_allow) continue;
    out.push_back({"fresh_was_cached", fmt::format("the {} arm reused {} tokens, at most {} are allowed",
                                                   name, *arm->cached_tokens, policy.cold_allow)});
  }
  if (*in.cached.cached_tokens <= policy.cold_allow) {
    out.push_back({"cached_was_fresh", fmt::format("the cached arm reused {} tokens, more than {} are needed",
                                                   *in.cached.cached_tokens, policy.cold_allow)});
  } else if (in.least_reuse && *in.cached.cached_tokens < *in.least_reuse) {
    out.push_back(
        {"trivial_prefix_as_hit",
         fmt::format("the cached arm reused {} tokens, a hit on what it shares with the cache is {} or more",
                     *in.cached.cached_tokens, *in.least_reuse)});
  }
  for (const auto& [name, arm] : ArmsOf(in)) CheckArm(name, *arm, in, out);
  if (!in.map.prompt_tokens && in.cached.prompt_tokens && in.fresh.prompt_tokens &&
      *in.cached.prompt_tokens != *in.fresh.prompt_tokens) {
    out.push_back({"prompt_tokens_differ", fmt::format("the cached prompt has {} tokens, the fresh one {}",
                                                       *in.cached.prompt_tokens, *in.fresh.prompt_tokens)});
  }
}

// Positions of which at least one log-probability is a number.
std::size_t ComparablePositions(const ArmOutput& arm) {
  return static_cast<std::size_t>(
      std::count_if(arm.logprobs.begin(), arm.logprobs.end(), [](const backend::TokenLogprobs& position) {
        return std::any_of(position.top.begin(), position.top.end(),
                           [](const backend::TopToken& top) { return std::isfinite(top.logprob); });
      }));
}

bool Degenerate(const std::vector<TokenId>& tokens) {
  return tokens.size() >= 8 && std::set<TokenId>(tokens.begin(), tokens.end()).size() <= 2;
}

void CheckLogprobs(const Comparison& in, std::vector<Refusal>& out) {
  const std::size_t cached = ComparablePositions(in.cached);
  const std::size_t fresh = ComparablePositions(in.fresh);
  if (in.cached.tokens != in.fresh.tokens || cached == fresh) return;
  out.push_back(
      {"logprobs_missing",
       fmt::format("log-probabilities at {} positions of the cached arm and {} of the fresh one: what "
                   "is missing was not compared",
                   cached, fresh)});
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
  CheckLogprobs(in, out);
  // With log-probabilities the tokens are not all there is to compare.
  const bool tokens_only = ComparablePositions(in.cached) == 0 || ComparablePositions(in.fresh) == 0;
  if (tokens_only && Degenerate(in.cached.tokens) && Degenerate(in.fresh.tokens)) {
    out.push_back(
        {"degenerate_output", "both arms repeat at most two tokens: such outputs agree by themselves"});
  }
}

}  // namespace

std::vector<Refusal> Refusals(const Comparison& in, const RefusalPolicy& policy) {
  std::vector<Refusal> out;
  CheckResponses(in, out);
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
